import { expect, it } from "vitest";
import { afterLeaving, afterLook, hasTier, mayTake, settledKey } from "../../../src/domain/pool/kept-key.ts";
import type { KeptState } from "../../../src/seam/access/key-pool.ts";

const aKey = (state: KeptState, left: number | null = null) => ({ state, since: 1, left });

it("takes jobs as long as it is in the pool, and one with too few tokens those that they cover", () => {
  const wanted = { price: 5 };
  expect(mayTake(aKey("in"), wanted)).toBe(true);
  for (const state of ["refused", "paused", "removed"] as const)
    expect(mayTake(aKey(state), wanted)).toBe(false);
  expect(mayTake(aKey("empty", 5), wanted)).toBe(true);
  expect(mayTake(aKey("empty", 4.99), wanted)).toBe(false);
  // What it costs is not known: nor whether that is covered.
  expect(mayTake(aKey("empty", 5), { price: null })).toBe(false);
});

it("has what its account has subscribed to, and anything where nobody said what that is", () => {
  expect(hasTier({ tier: "standard" }, { tier: "pro" })).toBe(false);
  for (const tier of ["pro", "ultra", null] as const) expect(hasTier({ tier }, { tier: "pro" })).toBe(true);
  expect(hasTier({ tier: "pro" }, { tier: "ultra" })).toBe(false);
  expect(hasTier({ tier: "standard" }, { tier: undefined })).toBe(true);
});

it("leaves once, and never against what whoever runs Reelay decided", () => {
  expect(afterLeaving(aKey("in"), "refused", null, 7)).toEqual({ ...aKey("refused"), since: 7 });
  expect(afterLeaving(aKey("in"), "empty", 2, 7)).toEqual({ ...aKey("empty", 2), since: 7 });
  expect(afterLeaving(aKey("empty", 2), "refused", null, 7)).toEqual({ ...aKey("refused"), since: 7 });
  // It was found to have even less; since when it is short of them stays.
  expect(afterLeaving(aKey("empty", 2), "empty", 1, 7)).toEqual(aKey("empty", 1));
  for (const key of [aKey("refused"), aKey("paused"), aKey("removed")])
    for (const because of ["refused", "empty"] as const) expect(afterLeaving(key, because, 1, 7)).toBe(key);
});

it("comes back where the service takes it again, or it has more tokens than it left with", () => {
  expect(afterLook(aKey("refused"), null, 7)).toEqual({ ...aKey("in"), since: 7 });
  expect(afterLook(aKey("empty", 2), 3, 7)).toEqual({ ...aKey("in"), since: 7 });
  // A balance that was told late is corrected: it may have been topped up to less than that.
  expect(afterLook(aKey("empty", 2), 1, 7)).toEqual(aKey("empty", 1));
  for (const [key, tokens] of [
    [aKey("empty", 2), 2],
    [aKey("empty", 2), null],
    [aKey("in"), 5],
    [aKey("paused"), 5],
    [aKey("removed"), 5],
  ] as const)
    expect(afterLook(key, tokens, 7)).toBe(key);
});

it("is what whoever runs Reelay wants it to be", () => {
  expect(settledKey(aKey("empty", 2), "in", 7)).toEqual({ ...aKey("in"), since: 7 });
  expect(settledKey(aKey("paused"), "paused", 7)).toEqual(aKey("paused"));
});
