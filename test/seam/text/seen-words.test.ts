import { expect, it } from "vitest";
import { seenWords } from "../../../src/seam/text/cut.ts";

it("words that nobody can see are none", () => {
  const unseen = [
    "",
    " \n",
    "\u200B",
    "\u00AD\u2060",
    "\u3164 \uFE0F",
    "\u2800",
    "\u{E0020}",
    "\uFFFD\u0000",
  ];
  expect(unseen.map(seenWords)).toEqual(unseen.map(() => ""));
});

it("words that can be seen stay as they are, but for what stands around them", () => {
  const joined = "\u{1F469}\u200D\u{1F680}";
  expect([" a\u200Bb\n", `\u200B ${joined}`, "\u2764\uFE0F", "."].map(seenWords)).toEqual([
    "a\u200Bb",
    `\u200B ${joined}`,
    "\u2764\uFE0F",
    ".",
  ]);
});
