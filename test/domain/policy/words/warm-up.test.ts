import { expect, it, vi } from "vitest";

it("reads its lists before the first request, once it is told to", async () => {
  vi.resetModules();
  const fresh = await import("../../../../src/domain/policy/words/refused-words.ts");
  const { work: steps } = await import("../../../../src/domain/policy/words/work.ts");
  fresh.warmUpWords();
  const before = steps.steps;
  expect(before).toBeGreaterThan(10_000);
  fresh.signsOf({ text: "a cat", avoided: "" });
  expect(steps.steps - before).toBeLessThan(1_000);
});
