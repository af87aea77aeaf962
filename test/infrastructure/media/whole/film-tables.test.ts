import { describe, expect, it } from "vitest";
import { shownTracks } from "../../../../src/infrastructure/media/whole/film-tables.ts";
import { NotWhole } from "../../../../src/infrastructure/media/whole/reading.ts";
import { alike, avcC, box, chunks, description, filler, numbers, runs, sizes, track } from "./iso-boxes.ts";

const JPEG = description("jpeg");

/** What the tables of a film's one track tell. */
const told = (...tables: readonly Buffer[]) => shownTracks(track(1, "vide", ...tables))?.[0];

/** Where its samples lie, and where they end. */
const lie = (...tables: readonly Buffer[]) => {
  const { ends, end } = told(JPEG, ...tables) ?? {};
  return { ends, end };
};

const [none, of] = [{ ends: [], end: 0 }, (at: number, bytes: number) => ({ at, bytes })];

/** What HEVC says of its samples, where AVC has `avcC`. */
const hvcC = (bytes: number) =>
  box("hvcC", Buffer.concat([filler(21), Buffer.from([0xfc | (bytes - 1), 3])]));

/** Sizes of fewer bits. */
const small = (bits: number, count: number, ...bytes: readonly number[]) =>
  box("stz2", numbers(0, bits, count), Buffer.from(bytes));

describe("what the tables of a film tell", () => {
  it("is which tracks show something", () => {
    const moov = Buffer.concat([
      box("mvhd", filler(8)),
      track(1, "soun", description("mp4a")),
      track(2, "vide", description("vp09")),
      track(3, "pict", JPEG),
      box("trak", box("tkhd", filler(20))),
    ]);
    const shown = shownTracks(moov);
    expect(shown?.map(({ id, codec }) => [id, codec])).toEqual([
      [2, "vp09"],
      [3, "jpeg"],
    ]);
    expect(shown?.[0]).toEqual({ id: 2, codec: "vp09", lengthBytes: undefined, ...none });
  });

  it("is nothing where they are compressed", () => {
    expect(shownTracks(box("cmov", filler(8)))).toBeUndefined();
    expect(shownTracks(Buffer.alloc(0))).toEqual([]);
  });

  it("is a track's number also where its times have 64 bits", () => {
    const long = box("tkhd", numbers(0x01000000, 0, 0, 0, 0, 7));
    const [, media] = [0, track(1, "vide", JPEG).subarray(8 + 28)];
    expect(shownTracks(box("trak", long, media))?.[0]?.id).toBe(7);
  });

  it("is none that can be read without what describes the track and its samples", () => {
    expect(() => told()).toThrow(NotWhole);
    expect(() => shownTracks(box("trak", track(1, "vide", JPEG).subarray(8 + 28)))).toThrow(NotWhole);
  });

  it("is how long the numbers are that divide samples of AVC and HEVC", () => {
    const lengths = (codec: string, ...about: readonly Buffer[]) =>
      told(description(codec, ...about))?.lengthBytes;
    expect(["avc1", "avc2", "avc3", "avc4"].map((codec) => lengths(codec, avcC(4)))).toEqual([4, 4, 4, 4]);
    expect([1, 2, 4].map((bytes) => lengths("avc1", box("colr", filler(3)), avcC(bytes)))).toEqual([1, 2, 4]);
    expect(["hvc1", "hev1"].map((codec) => lengths(codec, hvcC(2)))).toEqual([2, 2]);
    expect([
      lengths("avc1"),
      lengths("hvc1", avcC(4)),
      lengths("avc1", hvcC(4)),
      lengths("jpeg", avcC(4)),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    // What stands behind the first description is of another.
    const two = box("stsd", numbers(0, 2), box("avc1", filler(78)), avcC(4));
    expect(told(two)?.lengthBytes).toBeUndefined();
  });

  it("is where the first and the last sample lie, chunk by chunk", () => {
    expect(lie(sizes(3, 4, 5), chunks(100, 200), runs([1, 2]))).toEqual({
      ends: [of(100, 3), of(200, 5)],
      end: 205,
    });
    expect(lie(sizes(3, 4, 5, 6), chunks(100, 200, 300), runs([1, 1], [2, 2], [3, 1]))).toEqual({
      ends: [of(100, 3), of(300, 6)],
      end: 306,
    });
    expect(lie(sizes(3, 4, 5), chunks(300, 200, 100), runs([1, 1]))).toEqual({
      ends: [of(300, 3), of(100, 5)],
      end: 303,
    });
    expect(lie(sizes(3, 4, 5), chunks(100, 200), runs([1, 1], [2, 9]))).toEqual({
      ends: [of(100, 3), of(204, 5)],
      end: 209,
    });
    expect(lie(sizes(7), chunks(100), runs([1, 1]))).toEqual({ ends: [of(100, 7), of(100, 7)], end: 107 });
  });

  it("is none of the empty ones", () => {
    expect(lie(sizes(0, 4, 5, 0), chunks(100), runs([1, 4]))).toEqual({
      ends: [of(100, 4), of(104, 5)],
      end: 109,
    });
    expect(lie(sizes(0, 0), chunks(100), runs([1, 2]))).toEqual({ ends: [], end: 100 });
    expect(lie(sizes(1), chunks(100), runs([1, 1]))).toEqual({ ends: [of(100, 1), of(100, 1)], end: 101 });
  });

  it("is how large all are, where they are alike", () => {
    expect(lie(alike(6, 3), chunks(100), runs([1, 3]))).toEqual({ ends: [of(100, 6), of(112, 6)], end: 118 });
    expect(lie(alike(1, 3), chunks(100), runs([1, 3]))).toEqual({ ends: [of(100, 1), of(102, 1)], end: 103 });
  });

  it("is how large each is in 4, 8 or 16 bits, too", () => {
    const placed = [chunks(100), runs([1, 3])];
    expect(lie(small(4, 3, 0x12, 0x30), ...placed)).toEqual({ ends: [of(100, 1), of(103, 3)], end: 106 });
    expect(lie(small(4, 3, 0xf2, 0xe0), ...placed)).toEqual({ ends: [of(100, 15), of(117, 14)], end: 131 });
    expect(lie(small(8, 3, 1, 2, 3), ...placed)).toEqual({ ends: [of(100, 1), of(103, 3)], end: 106 });
    expect(lie(small(16, 3, 1, 0, 0, 2, 0, 3), ...placed)).toEqual({
      ends: [of(100, 256), of(358, 3)],
      end: 361,
    });
    expect(() => lie(small(16, 3, 1, 0, 0, 2, 0), ...placed)).toThrow(NotWhole);
  });

  it("is where chunks begin in 64 bits, too", () => {
    const far = box("co64", numbers(0, 2, 0, 100, 1, 5));
    expect(lie(sizes(3, 4), far, runs([1, 1]))).toEqual({
      ends: [of(100, 3), of(2 ** 32 + 5, 4)],
      end: 2 ** 32 + 9,
    });
    expect(() => lie(sizes(3, 4), box("co64", numbers(0, 2, 0, 100, 1)), runs([1, 1]))).toThrow(NotWhole);
  });

  it("is nothing where fragments tell it, or no chunk has any", () => {
    expect(lie()).toEqual(none);
    expect(lie(sizes(3, 4))).toEqual(none);
    expect(lie(sizes(3, 4), chunks(100))).toEqual(none);
    expect(lie(sizes(3, 4), runs([1, 2]))).toEqual(none);
    expect(lie(chunks(100), runs([1, 2]))).toEqual(none);
    expect(lie(sizes(3, 4), chunks(100), box("stsc", numbers(0, 2, 1, 2, 1)))).toEqual(none);
  });

  it("is no more than is in them", () => {
    expect(() => lie(box("stsz", numbers(0, 0, 2, 5)), chunks(100), runs([1, 2]))).toThrow(NotWhole);
    expect(() => lie(sizes(5), box("stco", numbers(0, 2, 100)), runs([1, 2]))).toThrow(NotWhole);
  });

  it("is not followed where they tell of more than films have", () => {
    const most = 2_000_000;
    expect(lie(alike(1, most), chunks(100), runs([1, most])).end).toBe(100 + most);
    expect(lie(alike(1, most + 1), chunks(100), runs([1, most + 1]))).toEqual(none);
  });
});
