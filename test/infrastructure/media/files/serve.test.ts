import { expect, it } from "vitest";
import { parseRange, saveAs } from "../../../../src/infrastructure/media/files/serve.ts";

it.each([
  [undefined, undefined],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=5-", { start: 5, end: 9 }],
  ["bytes=5-99", { start: 5, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-99", { start: 0, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=6-5", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=0-1,4-5", undefined],
  ["bytes=-", undefined],
  ["lines=1-2", undefined],
])("of ten bytes, %s is %j", (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});

it("saves under any name, without letting it end the header early", () => {
  expect(saveAs('it\'s (a) "clip"\r\n.mp4')).toBe(
    "attachment; filename*=UTF-8''it%27s%20%28a%29%20%22clip%22%0D%0A.mp4",
  );
});
