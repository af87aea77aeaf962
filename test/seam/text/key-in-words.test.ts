import { describe, expect, it } from "vitest";
import { mayHoldKey } from "../../../src/seam/text/key-in-words.ts";
import { drawn, KEY_SHAPES } from "../../support/keys.ts";

describe("whether a key may stand in a text", () => {
  it.each(Object.entries(KEY_SHAPES))("sees what looks like one: %s", (_shape, make) => {
    expect(mayHoldKey(`animate it, ${make(drawn("words"))}, please`)).toBe(true);
  });

  it("sees what is said to be one, and secrets of our own", () => {
    expect(mayHoldKey("mein Schlüssel ist Ab3xY9qLm")).toBe(true);
    expect(mayHoldKey(`whsec_${"e".repeat(40)}`)).toBe(true);
  });

  it("takes no words for one", () => {
    expect(mayHoldKey("the key is under the doormat, https://example.com/a1b2c3d4e5f6g7h8i9j0k1")).toBe(
      false,
    );
  });
});
