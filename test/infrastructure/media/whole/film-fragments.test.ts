import { describe, expect, it } from "vitest";
import { fragmentEnds, usualSizes } from "../../../../src/infrastructure/media/whole/film-fragments.ts";
import { box, filler, numbers } from "./iso-boxes.ts";

/** A track's part of a fragment. */
const part = (header: Buffer, ...runs: readonly Buffer[]) => box("traf", box("tfhd", header), ...runs);
const run = (...values: readonly number[]) => box("trun", numbers(...values));

const HERE = 1000;
const ends = (moof: Buffer, usual = 9, track = 2) => fragmentEnds(moof, HERE, track, usual);
const [of, plain] = [(at: number, bytes: number) => ({ at, bytes }), numbers(0x020000, 2)];

/** What the film says of a track in fragments. */
const trex = (track: number, bytes: number) => box("trex", numbers(0, track, 71, 72, bytes, 73));

describe("what a fragment of a film tells", () => {
  it("is where the first and the last of a track's samples lie", () => {
    const moof = Buffer.concat([
      part(numbers(0, 1), run(0x000201, 1, 50, 11)),
      part(plain, run(0x000201, 3, 100, 4, 5, 6)),
    ]);
    expect(ends(moof)).toEqual([of(1100, 4), of(1109, 6)]);
    expect(ends(moof, 9, 1)).toEqual([of(1050, 11), of(1050, 11)]);
    expect(ends(moof, 9, 3)).toEqual([]);
    expect(ends(box("traf", run(0x000201, 1, 50, 11)))).toEqual([]);
  });

  it("is that over several runs, and before where it begins", () => {
    const moof = part(plain, run(0x000201, 2, -400, 4, 5), run(0x000201, 1, 300, 6));
    expect(ends(moof)).toEqual([of(600, 4), of(1300, 6)]);
  });

  it("is none of the empty ones", () => {
    expect(ends(part(plain, run(0x000201, 4, 0, 0, 1, 5, 0)))).toEqual([of(1000, 1), of(1001, 5)]);
    expect(ends(part(plain, run(0x000201, 2, 0, 0, 0)))).toEqual([]);
    expect(ends(part(plain))).toEqual([]);
  });

  it("is nothing where one run does not tell where its samples lie", () => {
    expect(ends(part(plain, run(0x000200, 1, 4)))).toEqual([]);
    expect(ends(part(plain, run(0x000201, 1, 100, 4), run(0x000200, 1, 4)))).toEqual([]);
  });

  it("is a size among whatever else is said of each sample, behind what is said of the first", () => {
    expect(ends(part(plain, run(0x000305, 2, 100, 77, 1, 4, 2, 5)))).toEqual([of(1100, 4), of(1104, 5)]);
    expect(ends(part(plain, run(0x000e01, 2, 100, 4, 91, 92, 5, 93, 94)))).toEqual([
      of(1100, 4),
      of(1104, 5),
    ]);
    expect(ends(part(plain, run(0x000f01, 2, 100, 1, 4, 91, 92, 2, 5, 93, 94)))).toEqual([
      of(1100, 4),
      of(1104, 5),
    ]);
  });

  it("is the usual size where each has none: the film's, or the fragment's own", () => {
    expect(ends(part(plain, run(0x000001, 3, 100)))).toEqual([of(1100, 9), of(1100, 9)]);
    expect(ends(part(plain, run(0x000101, 2, 100, 71, 72)))).toEqual([of(1100, 9), of(1100, 9)]);
    const own = part(numbers(0x02001a, 2, 81, 82, 33), run(0x000001, 3, 100));
    expect(ends(own)).toEqual([of(1100, 33), of(1100, 33)]);
    const alone = part(numbers(0x020010, 2, 33), run(0x000001, 3, 100));
    expect(ends(alone)).toEqual([of(1100, 33), of(1100, 33)]);
    expect(ends(part(plain, run(0x000001, 3, 100)), 0)).toEqual([]);
  });

  it("begins where it says, or where it stands", () => {
    const there = part(numbers(0x000001, 2, 0, 5000), run(0x000201, 1, 100, 4));
    expect(ends(there)).toEqual([of(5100, 4), of(5100, 4)]);
    const both = part(numbers(0x000011, 2, 1, 5000, 33), run(0x000001, 1, 100));
    expect(ends(both)).toEqual([of(2 ** 32 + 5100, 33), of(2 ** 32 + 5100, 33)]);
  });

  it("is not followed for as many samples as it says where it tells nothing of each", () => {
    expect(ends(part(plain, run(0x000001, -1, 100)))).toEqual([of(1100, 9), of(1100, 9)]);
    expect(() => ends(part(plain, run(0x000201, 3, 100, 4, 5)))).toThrow(RangeError);
  });

  it("has usual sizes by track, where the film says some", () => {
    const moov = Buffer.concat([box("mvhd", filler(8)), box("mvex", trex(1, 0), trex(2, 33))]);
    expect([...usualSizes(moov)]).toEqual([
      [1, 0],
      [2, 33],
    ]);
    expect(usualSizes(box("mvhd")).size).toBe(0);
  });
});
