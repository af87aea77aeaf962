import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageOf } from "../../../src/seam/browse/pager.ts";

describe("pages", () => {
  it("show every entry once, whatever page is asked for", () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer(), (all, wanted) => {
        const { pages, page } = pageOf(all, wanted);
        const shown = Array.from({ length: pages }, (_, nth) => pageOf(all, nth).items).flat();
        expect(shown).toEqual(all);
        expect(page).toBeGreaterThanOrEqual(0);
        expect(page).toBeLessThan(pages);
      }),
    );
  });
});
