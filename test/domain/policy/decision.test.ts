import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHAPTERS } from "../../../tools/docs/situations.ts";
import { decided, POLICY_PAGE, policyPage } from "../../../tools/docs/policy.ts";

const rows = CHAPTERS.flatMap((chapter) => chapter.rows.map((row) => ({ chapter: chapter.title, ...row })));

describe("what may be made", () => {
  it.each(rows)("$chapter: $title → $decision", (row) => {
    expect(decided(row)).toBe(row.decision);
  });

  it("is told in as many situations as anybody would want to look up, each once", () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    const told = rows.map(({ situation, rules }) => JSON.stringify([situation, rules]));
    expect(new Set(told).size).toBe(told.length);
  });

  it("is what the documentation says; `npm run docs` writes it", () => {
    expect(readFileSync(POLICY_PAGE, "utf8")).toBe(policyPage());
  });
});
