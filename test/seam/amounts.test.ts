import { describe, expect, it } from "vitest";
import { budgetBody } from "../../adapters/http/resources/budget.ts";
import { budgetFacts } from "../../src/domain/commands/facts.ts";
import { after } from "../../src/domain/jobs/job.ts";
import { decimal } from "../../src/seam/amounts.ts";
import { shortageOf } from "../../src/seam/forms/price.ts";
import { aJob } from "../support/job.ts";

describe("sums and differences of tokens", () => {
  it("are the decimals that they stand for", () => {
    expect(100.1 - 56.28).not.toBe(43.82);
    expect([100.1 - 56.28, 0.1 + 0.2, 0.3 - 0.1 - 0.2, -0.1 - 0.2].map(decimal)).toEqual([
      43.82, 0.3, 0, -0.3,
    ]);
  });

  it("are such in what is told of a shortage, a balance and a budget", () => {
    expect(shortageOf({ tokens: 100.1, balance: 56.28 })).toMatchObject({ params: { missing: 43.82 } });
    const running = aJob({ state: "running", cost: 56.28, balance: 0 });
    const completed = { type: "completed", at: 9, result: ["r"], cost: 100.1 } as const;
    expect(after(running, completed).balance).toBe(-43.82);
    const state = { whose: "person", period: "day", max: 100.1, spent: 56.28, until: 1 } as const;
    expect(budgetFacts([state])).toMatchObject([{ value: { params: { left: 43.82 } } }]);
    expect(budgetBody({ ...state, whose: "partner" }, null).left).toBe(43.82);
  });
});
