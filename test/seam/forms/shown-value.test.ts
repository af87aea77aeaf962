import { describe, expect, it } from "vitest";
import { translator } from "../../../src/common/i18n.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { wordsField } from "../../../src/seam/forms/filling.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";

describe("words as they are shown", () => {
  const field = wordsField(COMMAND_SPECS.find(({ name }) => name === "video")?.fields ?? []);
  if (!field) throw new Error("A video takes no words.");
  const shown = (words: string) => shownValue(translator("en"), field, { [field.name]: words }, {});

  it.each([
    ["an override", "waves \u202Egnp.exe", "waves gnp.exe"],
    ["an embedding that nothing ends", "\u202Bwaves", "waves"],
    ["an isolate that nothing ends", "waves\u2067 wind", "waves wind"],
    ["a line separator", "waves\u2028wind", "waves wind"],
    ["a zero byte", "waves\0wind", "waves wind"],
  ])("turn nothing around and hide nothing: %s", (_, words, expected) => {
    expect(shown(words)).toBe(`“${expected}”`);
  });

  it.each([
    "שלום\u200F!",
    "می\u200Cخواهم",
    "👩\u200D🚀 and 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "one\ntwo",
  ])("keep what scripts and pictures are written with: %s", (words) => {
    expect(shown(words)).toBe(`“${words}”`);
  });
});
