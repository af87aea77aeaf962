import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ReelayError } from "../../../../src/common/errors.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { checkFilmAt } from "./check-film-at.ts";
import { avcC, box, chunks, description, filler, numbers, runs, sizes, track } from "./iso-boxes.ts";

const folder = temporaryFolder();

/** Whether a film of these boxes can be played. */
async function plays(...boxes: readonly Buffer[]): Promise<boolean> {
  const path = join(folder, `${Math.random()}.mp4`);
  writeFileSync(path, Buffer.concat(boxes));
  try {
    await checkFilmAt(path, "video/mp4");
    return true;
  } catch (error) {
    if (error instanceof ReelayError && error.code === "result_late") return false;
    throw error;
  }
}

const VP9 = description("vp09");
const START = box("ftyp", Buffer.from("isom"), numbers(0));

/** A film of one track with these samples in one chunk, behind its beginning. */
const holding = (samples: readonly Buffer[], described = VP9) => {
  const moov = box(
    "moov",
    track(
      1,
      "vide",
      described,
      sizes(...samples.map(({ length }) => length)),
      chunks(START.length + 8),
      runs([1, samples.length]),
    ),
  );
  return [START, box("mdat", ...samples), moov];
};

const picture = filler(100);
const text = (bytes: number) => Buffer.from("Please wait. ".repeat(bytes)).subarray(0, bytes);

/** A sample that begins with so many zeros. */
const gap = (bytes: number) => Buffer.concat([Buffer.alloc(bytes), filler(10)]);

/** A fragment whose one sample lies right behind it; without a size where it is to be the usual one. */
const fragment = (sample: Buffer, isUsual = false) => {
  const tables = (place: number) =>
    box(
      "moof",
      box(
        "traf",
        box("tfhd", numbers(0x020000, 1)),
        isUsual
          ? box("trun", numbers(0x000001, 1, place))
          : box("trun", numbers(0x000201, 1, place, sample.length)),
      ),
    );
  return Buffer.concat([tables(tables(0).length + 8), box("mdat", sample)]);
};

/** The tables of a film of one sample, of 100 bytes. */
const oneAt = (place: number) => box("moov", track(1, "vide", VP9, sizes(100), chunks(place), runs([1, 1])));

describe("a film", () => {
  it("plays where its first and its last sample are pictures, and is looked at no further", async () => {
    expect(await plays(...holding([picture, text(100), picture]))).toBe(true);
    expect(await plays(...holding([text(100), picture]))).toBe(false);
    expect(await plays(...holding([picture, text(100)]))).toBe(false);
  });

  it("has no gap in the first 4,096 bytes of one", async () => {
    expect([await plays(...holding([gap(4_095)])), await plays(...holding([gap(4_096)]))]).toEqual([
      true,
      false,
    ]);
    expect(await plays(...holding([Buffer.alloc(1)]))).toBe(false);
  });

  it("has no words in their place: 64 bytes that somebody could have typed", async () => {
    expect([await plays(...holding([text(63)])), await plays(...holding([text(64)]))]).toEqual([true, false]);
    const withOne = (byte: number) => holding([Buffer.concat([text(80), Buffer.from([byte])])]);
    for (const typed of [0x20, 0x7e, 0x09, 0x0a, 0x0d]) expect(await plays(...withOne(typed))).toBe(false);
    for (const other of [0x00, 0x1f, 0x7f, 0x0b, 0xff]) expect(await plays(...withOne(other))).toBe(true);
  });

  it("is not looked at where its samples are not packed, but for how far they go", async () => {
    const raw = description("raw ");
    expect(await plays(...holding([text(100)], raw))).toBe(true);
    const moov = box("moov", track(1, "vide", raw, sizes(4), chunks(5_000), runs([1, 1])));
    expect(await plays(START, moov)).toBe(false);
  });

  it("holds all that its tables tell of, to the last byte", async () => {
    const behind = START.length + oneAt(0).length + 8;
    expect(await plays(START, oneAt(behind), box("mdat", picture))).toBe(true);
    expect(await plays(START, oneAt(behind + 1), box("mdat", picture))).toBe(false);
  });

  it("is divided as its codec says, in AVC: by lengths that fit, or by marks", async () => {
    const begins = (...start: readonly number[]) =>
      holding(
        [Buffer.concat([Buffer.from(start), filler(100 - start.length)])],
        description("avc1", avcC(4)),
      );
    expect(await plays(...begins(0, 0, 0, 96))).toBe(true);
    expect(await plays(...begins(0, 0, 0, 97))).toBe(false);
    expect(await plays(...begins(0, 0, 1, 0xee))).toBe(true);
    expect(await plays(...begins(0, 1, 0, 0))).toBe(false);
    const marked = [Buffer.concat([Buffer.from([0, 0, 0, 1]), filler(1)])];
    expect(await plays(...holding(marked, description("avc1", avcC(1))))).toBe(true);
    const short = [Buffer.from([0xee, 0xee, 0xee])];
    expect([
      await plays(...holding(short, description("avc1", avcC(4)))),
      await plays(...holding(short, description("avc1", avcC(2)))),
    ]).toEqual([true, false]);
    const two = [Buffer.from([0, 1, 0xee])];
    expect([
      await plays(...holding(two, description("avc1", avcC(2)))),
      await plays(...holding([Buffer.from([0xee])], description("avc1", avcC(1)))),
    ]).toEqual([true, false]);
  });

  it("shows something, and has tables that are not too large to be looked into", async () => {
    const silent = track(1, "soun", description("mp4a"));
    expect(await plays(START, box("moov", silent))).toBe(false);
    expect(await plays(START, box("moov", box("cmov")))).toBe(true);
    const most = 16 * 2 ** 20;
    const padded = (bytes: number) =>
      box("moov", silent, box("free", Buffer.alloc(bytes - silent.length - 8)));
    expect([await plays(START, padded(most)), await plays(START, padded(most + 1))]).toEqual([false, true]);
  });

  it("may have nothing that is known of a box behind it, and tables behind those that go on to the end", async () => {
    const silent = box("moov", track(1, "soun", description("mp4a")));
    expect(await plays(START)).toBe(true);
    // What has no name of a box, or no room for its head, is a tail, and what follows in it is not looked for.
    expect(await plays(START, numbers(16, 0, 0, 0), silent)).toBe(true);
    expect(await plays(START, Buffer.concat([numbers(7), Buffer.from("free")]), silent)).toBe(true);
    expect(await plays(START, box("\xa9abc"), silent)).toBe(false);
    expect(await plays(START, box("fre\x7f"), silent)).toBe(true);
    expect(await plays(START, numbers(8), Buffer.from("free"), silent)).toBe(false);
    expect(await plays(START, numbers(0), Buffer.from("mdat"), silent)).toBe(true);
  });
});

describe("a film in fragments", () => {
  const moov = box("moov", track(1, "vide", VP9), box("mvex", box("trex", numbers(0, 1, 1, 0, 20, 0))));

  it("plays where the first and the last of them begin with pictures, and is looked at no further", async () => {
    expect(await plays(START, moov, fragment(picture), fragment(text(100)), fragment(picture))).toBe(true);
    expect(await plays(START, moov, fragment(text(100)), fragment(picture))).toBe(false);
    expect(await plays(START, moov, fragment(picture), fragment(text(100)))).toBe(false);
    expect(await plays(START, moov, fragment(text(100)))).toBe(false);
  });

  it("goes by the usual size where they tell none", async () => {
    expect([
      await plays(START, moov, fragment(gap(19), true)),
      await plays(START, moov, fragment(gap(20), true)),
    ]).toEqual([true, false]);
    const without = box("moov", track(1, "vide", VP9));
    expect(await plays(START, without, fragment(gap(20), true))).toBe(true);
  });

  it("has a tail of at most a quarter of what comes before", async () => {
    const whole = Buffer.concat([START, moov, fragment(filler(120))]);
    const padded = Buffer.concat([whole, box("free", Buffer.alloc((8 - (whole.length % 4)) % 4))]);
    const quarter = padded.length / 4;
    expect(await plays(padded, Buffer.alloc(quarter))).toBe(true);
    expect(await plays(padded, Buffer.alloc(quarter + 1))).toBe(false);
    // One without fragments has its tables to go by.
    expect(await plays(...holding([picture]), Buffer.alloc(9_999))).toBe(true);
  });
});
