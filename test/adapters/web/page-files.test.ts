import { describe, expect, it } from "vitest";
import { roomFor, withPicture } from "../../../adapters/web/page/src/form/attach.ts";
import { boxOf, CELLS, cellsOf, type PaintMark } from "../../../adapters/web/page/src/form/marks.ts";
import { acceptedSounds, soundFault, soundTypeOf } from "../../../adapters/web/page/src/form/sounds.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { MediaRef, Values } from "../../../src/seam/values.ts";

function field(name: string, control: FieldSpec["control"], more: Partial<FieldSpec> = {}): FieldSpec {
  return { name, label: "field.prompt", control, required: false, advanced: false, ...more };
}

const media = (id: string): MediaRef => ({ surface: "web", id });

const put = (fields: readonly FieldSpec[], ...ids: string[]) =>
  ids.reduce<Values>((values, id) => withPicture(fields, values, media(id)), {});

describe("pictures given to the form as a whole", () => {
  const wells = [
    field("target", "image"),
    field("source", "image"),
    field("last", "image", { advanced: true }),
  ];
  const list = [field("images", "images", { maxItems: 2 }), field("prompt", "text")];

  it("fill the empty wells in their order, then take the first one's place", () => {
    expect(put(wells, "a", "b")).toEqual({ target: media("a"), source: media("b") });
    expect(put(wells, "a", "b", "c")).toEqual({ target: media("c"), source: media("b") });
  });

  it("fill a list until it is full", () => {
    expect(put(list, "a", "b", "c")).toEqual({ images: [media("a"), media("b")] });
  });

  it("have nowhere to go where nothing takes pictures", () => {
    expect(put([field("prompt", "text")], "a")).toEqual({});
  });

  it.each([
    [wells, [], 2],
    [wells, ["a"], 1],
    [wells, ["a", "b"], 1],
    [list, ["a"], 1],
    [list, ["a", "b"], 0],
    [[field("prompt", "text")], [], 0],
  ])("have room (%#)", (fields, there, room) => {
    expect(roomFor(fields, put(fields, ...there))).toBe(room);
  });

  it("take the mask of the one whose place they take with them", () => {
    const fields = [field("image", "image"), field("mask", "mask", { over: "image" })];
    const values = { image: media("a"), mask: media("m") };
    expect(withPicture(fields, values, media("b"))).toEqual({ image: media("b") });
  });
});

describe("sounds", () => {
  const sounds = {
    types: ["audio/mpeg", "audio/wav"],
    maxBytes: 1000,
    maxSeconds: 10,
    maxSecondsTogether: 15,
  };
  const audios = field("audios", "sounds", { minItems: 1, maxItems: 3, sounds });
  const fits = { type: "audio/wav", bytes: 1000, seconds: 10 };

  it.each([
    [fits, [], undefined],
    [fits, [5], undefined],
    [fits, [Number.NaN, Number.NaN], undefined],
    [{ ...fits, seconds: Number.NaN }, [], undefined],
    [{ ...fits, type: "audio/ogg" }, [], { code: "sound_type", params: { found: "audio/ogg" } }],
    [{ ...fits, bytes: 1001 }, [], { code: "media_too_large", params: { bytes: 1001, max: 1000 } }],
    [{ ...fits, seconds: 10.01 }, [], { code: "sound_too_long", params: { seconds: 10.1, max: 10 } }],
    [fits, [3, 2.5], { code: "sounds_too_long", params: { seconds: 15.5, max: 15 } }],
    [fits, [1, 1, 1], { code: "field_count", params: { field: "audios", min: 1, max: 3 } }],
  ])("%j beside %j: %j", (sound, others, fault) => {
    expect(soundFault(audios, sound, others)).toEqual(fault && { ...fault, field: "audios" });
  });

  it.each([
    ["a.MP3", "", "audio/mpeg"],
    ["a.m4a", "audio/x-m4a", "audio/mp4"],
    ["a.aac", "audio/vnd.dlna.adts", "audio/aac"],
    ["a.ogg", "video/ogg", "audio/ogg"],
    ["film.mp4", "video/mp4", "video/mp4"],
    ["noise", "audio/wav", "audio/wav"],
  ])("called %s, %s to the browser, are %s", (name, type, known) => {
    expect(soundTypeOf({ name, type })).toBe(known);
  });

  it("are offered by type and by name", () => {
    expect(acceptedSounds(audios)).toBe("audio/mpeg,audio/wav,.mp3,.wav");
  });
});

const on = (cell: number): PaintMark => ({ kind: "cell", cell, on: true });
const marked = (...marks: PaintMark[]) => CELLS.filter((cell) => cellsOf(marks)[cell]);

describe("regions of a picture", () => {
  it("cover all of it, once, whatever its size", () => {
    for (const [width, height] of [
      [640, 430],
      [100, 7],
      [1, 1],
    ] as const) {
      const boxes = CELLS.map((cell) => boxOf(cell, width, height));
      expect(boxes.reduce((sum, box) => sum + box.width * box.height, 0)).toBe(width * height);
    }
    expect(boxOf(5, 90, 60)).toEqual({ x: 60, y: 20, width: 30, height: 20 });
  });

  it("are on or off, after every step", () => {
    const stroke: PaintMark = { kind: "stroke", erases: false, size: 9, points: [{ x: 1, y: 1 }] };
    expect(marked(on(0), stroke, on(8))).toEqual([0, 8]);
    expect(marked(on(0), { kind: "cell", cell: 0, on: false })).toEqual([]);
    expect(marked(on(0), on(1), { kind: "invert" })).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(marked(on(0), { kind: "clear" }, on(4))).toEqual([4]);
    expect(marked(on(0), { kind: "image", image: "another mask" })).toEqual([]);
  });
});
