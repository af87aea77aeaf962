import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownToken, TOKEN_BYTES } from "../../../src/seam/text/actions.ts";
import { BROWSE, found, type BrowsePlace, readPlace, writePlace } from "../../../src/seam/browse/place.ts";

const code = fc.stringMatching(/^[\w-]{8}$/);

const place: fc.Arbitrary<BrowsePlace> = fc.record({
  show: fc.constantFrom("home", "categories", "list", "card"),
  page: fc.integer({ min: 0, max: 999 }),
  code: fc.oneof(
    fc.constant(""),
    code,
    fc.tuple(code, code).map(([entry, variant]) => entry + variant),
  ),
  list: fc.oneof(
    fc.string({ unit: "binary" }).map((words) => found("templates", words).list),
    fc.record({ by: fc.constant("category" as const), what: code }),
    fc.record({
      by: fc.constant("catalogue" as const),
      what: fc.constantFrom("video-templates", "edit-templates"),
    }),
  ),
});

describe("a place in the catalogue", () => {
  it("comes out of a button as it went in, and fits into one", () => {
    fc.assert(
      fc.property(place, (where) => {
        const written = writePlace(where);
        expect(readPlace(written)).toEqual(where);
        expect(Buffer.byteLength(ownToken(BROWSE, written))).toBeLessThanOrEqual(TOKEN_BYTES);
      }),
    );
  });

  it("keeps whole characters of words that are too long", () => {
    expect(found("templates", `${"a".repeat(34)}żółw`).list.what).toBe(`${"a".repeat(34)}ż`);
  });

  it.each(["", "x.0..t", "l.one..t", "u.video.abcdefgh", "l.0."])("does not read %j", (text) => {
    expect(readPlace(text)).toBeUndefined();
  });
});
