import { describe, expect, it } from "vitest";
import { retentionPlan } from "../../../src/domain/retention/plan.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

describe("what has been kept long enough", () => {
  it("is older than the days that are set", () => {
    expect(retentionPlan({ jobs: 1, audit: 2, usage: 28 }, NOW)).toEqual({
      jobs: Date.parse("2026-02-28T12:00:00Z"),
      audit: Date.parse("2026-02-27T12:00:00Z"),
      usage: "2026-02-01",
    });
  });

  it("is nothing where it is kept for good", () => {
    expect(retentionPlan({ jobs: 0, audit: 0, usage: 0 }, NOW)).toEqual({
      jobs: undefined,
      audit: undefined,
      usage: undefined,
    });
  });
});
