import { describe, expect, it } from "vitest";
import { boxAt, Boxes } from "../../../../src/infrastructure/media/whole/boxes.ts";
import { NotWhole } from "../../../../src/infrastructure/media/whole/reading.ts";
import { box, filler, largeBox, numbers } from "./iso-boxes.ts";

describe("boxes of ISO media", () => {
  it("are found by their names, one after the other and in each other", () => {
    const content = Buffer.concat([
      box("aaaa", Buffer.from("one")),
      box("bbbb", box("cccc", Buffer.from("inside"))),
      largeBox("aaaa", Buffer.from("two")),
      box("aaaa"),
    ]);
    const boxes = new Boxes(content);
    expect(boxes.all("aaaa").map(String)).toEqual(["one", "two", ""]);
    expect(String(boxes.one("aaaa"))).toBe("one");
    expect(String(boxes.in("bbbb").one("cccc"))).toBe("inside");
    expect([boxes.all("dddd"), boxes.one("dddd"), boxes.in("dddd").one("cccc")]).toEqual([
      [],
      undefined,
      undefined,
    ]);
  });

  it("may go on to the end, and have a few bytes behind them that are none", () => {
    const last = Buffer.concat([numbers(0), Buffer.from("last"), Buffer.from("to the end")]);
    const boxes = new Boxes(Buffer.concat([box("aaaa", filler(4)), last]));
    expect([boxes.one("aaaa")?.length, String(boxes.one("last"))]).toEqual([4, "to the end"]);
    expect(new Boxes(Buffer.concat([box("aaaa"), Buffer.alloc(7)])).all("aaaa")).toHaveLength(1);
    expect(() => new Boxes(Buffer.concat([box("aaaa"), Buffer.from([0, 0, 0, 7, 0, 0, 0, 0])]))).toThrow(
      NotWhole,
    );
  });

  it("are none where they do not add up", () => {
    const whole = box("aaaa", filler(4));
    expect(() => new Boxes(whole.subarray(0, -1))).toThrow(NotWhole);
    for (const bytes of [7, 2])
      expect(() => new Boxes(Buffer.concat([numbers(bytes), filler(20)]))).toThrow(NotWhole);
    const large = largeBox("aaaa", filler(4));
    large.writeUInt32BE(15, 12);
    expect(() => new Boxes(large)).toThrow(NotWhole);
    large.writeUInt32BE(16, 12);
    expect(new Boxes(large.subarray(0, 16)).one("aaaa")).toHaveLength(0);
  });

  it("say how they begin", () => {
    expect(boxAt(box("aaaa", filler(9)).subarray(0, 16), 99)).toEqual({ type: "aaaa", head: 8, bytes: 17 });
    expect(boxAt(largeBox("aaaa", filler(9)).subarray(0, 16), 99)).toEqual({
      type: "aaaa",
      head: 16,
      bytes: 25,
    });
    expect(boxAt(Buffer.concat([numbers(0), Buffer.from("aaaa")]), 99)).toEqual({
      type: "aaaa",
      head: 8,
      bytes: 99,
    });
    expect(boxAt(largeBox("aaaa").subarray(0, 15), 99)).toEqual({ type: "aaaa", head: 8, bytes: 1 });
  });
});
