import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge, type Verdict } from "../../../src/domain/jobs/reconciling/evidence.ts";
import { anyWorld, plainWorld, type World } from "./adversary.ts";

const isRight = (verdict: Verdict, { accepted }: World) => {
  if (verdict.is === "accepted") return verdict.record.id === "ours";
  return verdict.is === "unknown" || !accepted;
};

const RUNS = { numRuns: 20_000 };

describe("the judgement of a lost answer", () => {
  it("never calls an accepted job not accepted, and never takes another's, whatever the account does", () => {
    fc.assert(
      fc.property(anyWorld, (world) => isRight(judge(world.evidence), world)),
      RUNS,
    );
  });

  it("is made where nothing is hidden: what was accepted and is listed is found, what was not is proven", () => {
    fc.assert(
      fc.property(plainWorld, (world) => {
        const { doubt, now, clock } = world.evidence;
        const verdict = judge(world.evidence);
        const counted = doubt.listed || now.totals?.[doubt.type] !== undefined;
        if (!world.accepted)
          return counted && clock ? verdict.is === "not accepted" : isRight(verdict, world);
        if (!doubt.listed) return verdict.is === "unknown" && verdict.charged === true;
        return clock ? verdict.is === "accepted" : isRight(verdict, world);
      }),
      RUNS,
    );
  });

  it("is made often enough in an adverse account, too, that being right means something", () => {
    const counts = { accepted: 0, "not accepted": 0, unknown: 0 };
    for (const world of fc.sample(anyWorld, { numRuns: 5_000, seed: 13 })) counts[judge(world.evidence).is]++;
    expect(counts.accepted).toBeGreaterThan(50);
    expect(counts["not accepted"]).toBeGreaterThan(50);
  });
});
