import { describe, expect, it } from "vitest";
import { LOCALES, translator } from "../../../src/common/i18n.ts";
import { unknownPrice } from "../../../adapters/kit/drafts/state.ts";

const say = translator("en");

describe("a price that nobody knows", () => {
  it("is called so, with what the like of it cost here", () => {
    const unknown = "The service publishes no price for this; it is known once the job is accepted.";
    expect(unknownPrice(say, {})).toBe(unknown);
    expect(unknownPrice(say, { range: { least: 2.7, most: 4.1 } })).toBe(
      `${unknown} Similar ones have cost 2.7–4.1 tokens here so far.`,
    );
    expect(unknownPrice(say, { range: { least: 1, most: 1 } })).toContain("have cost 1 token here");
  });

  it.each(LOCALES)("has both numbers in %s", (locale) => {
    expect(unknownPrice(translator(locale), { range: { least: 2, most: 4 } })).toMatch(/2–4 \p{L}/u);
  });
});
