import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHAPTERS } from "../../tools/policy/situations.ts";
import { decided, pageNow } from "../../tools/policy/table.ts";

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

  it("is what the documentation says; `npm run policy-table` writes it", () => {
    const page = new URL("../../src/policy/README.md", import.meta.url);
    expect(readFileSync(page, "utf8")).toBe(pageNow());
  });
});
