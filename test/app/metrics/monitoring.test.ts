import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ERRORS } from "../../../src/common/errors.ts";
import { openMetrics } from "../../../src/app/metrics/metrics.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const RULES = "deploy/monitoring/alerts.yaml";
const DASHBOARD = "deploy/monitoring/grafana.json";

/** Names that stand in a query, a document or an answer. */
const namesIn = (text: string) =>
  [...text.matchAll(/\b(?:reelay|process|nodejs)_[a-z0-9_]*[a-z0-9]/g)].map(([name]) => name);

/** What can be asked for: the names of families, and those that their samples have. */
async function offered(): Promise<ReadonlySet<string>> {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const metrics = openMetrics({ database, platforms: () => [], egresses: () => [], budgets: () => ({}) });
  const text = await metrics.text();
  metrics.close();
  await database.close();
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    families.flatMap(([, name = "", type]) =>
      type === "counter"
        ? [`${name}_total`]
        : type === "histogram"
          ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]
          : [name],
    ),
  );
}

const dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string().min(1), legendFormat: z.string().min(1) })).min(1),
    }),
  ),
});

describe("the dashboard and the alert rules", () => {
  it.each([
    ["the dashboard", DASHBOARD],
    ["the alert rules", RULES],
    ["the operator's guide", "docs/operator.md"],
  ])("ask for numbers that there are (%s)", async (_, path) => {
    const names = new Set(namesIn(read(path)));
    const known = await offered();
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
  });

  it("ask for outcomes that there are", () => {
    const asked = [...read(RULES).matchAll(/\b(?:outcome|code)=~?"([^"]+)"/g)].flatMap(([, codes = ""]) =>
      codes.split("|"),
    );
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((code) => !(code in ERRORS) && code !== "failed")).toEqual([]);
  });

  it("leave none of ours out of the guide", async () => {
    const told = new Set(namesIn(read("docs/operator.md")));
    const ours = [...(await offered())].filter(
      (name) => name.startsWith("reelay_") && !/_(bucket|sum|count)$/.test(name),
    );
    expect(ours.filter((name) => !told.has(name))).toEqual([]);
  });

  it("show each thing once, none over another", () => {
    const { panels } = dashboard.parse(JSON.parse(read(DASHBOARD)));
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)},${y + Math.floor(nth / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it("are understood by Prometheus", ({ skip }) => {
    if (spawnSync("promtool", ["--version"]).error)
      skip("promtool is not installed: the rules' syntax was not checked");
    const dashboards = dashboard.parse(JSON.parse(read(DASHBOARD)));
    const queries = dashboards.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    // A rule for each query of the dashboard, too.
    const rules = join(temporaryFolder(), "queries.yaml");
    const records = queries.map((expr, nth) => ({ record: `query:${nth}`, expr }));
    writeFileSync(rules, JSON.stringify({ groups: [{ name: "dashboard", rules: records }] }));
    for (const path of [new URL(`../../../${RULES}`, import.meta.url).pathname, rules])
      expect(execFileSync("promtool", ["check", "rules", path], { encoding: "utf8" })).toContain("SUCCESS");
  });
});
