import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMetrics } from "../../../src/app/metrics/metrics.ts";
import { hold } from "../../../src/domain/budgets/spending.ts";
import { budgetsOfKey } from "../../../src/domain/policy/budgets.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { testCore } from "../../support/core.ts";
import { testDatabase } from "../../support/database.ts";
import { readMetrics, sumOf } from "../../support/metrics.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const none = { platforms: () => [], egresses: () => [], budgets: () => ({}) };

describe("numbers for a monitoring system", () => {
  it("are those of the ledger and of the service, of jobs that were made and that failed", async () => {
    await using sandbox = await testSandbox({ failRate: 0.4 });
    // Before anything is sent: what begins with the core is counted, too.
    const metrics = openMetrics({
      ...none,
      database: {
        get kysely() {
          return core.database.kysely;
        },
      },
      platforms: () => [core.surface],
      egresses: () => [
        { name: "office", isAway: false },
        { name: "second", isAway: true },
      ],
    });
    await using core = await testCore(sandbox);
    const { surface, database } = core;
    const photo = join(temporaryFolder(), "photo.jpg");
    await writeFile(photo, Buffer.from(await testPicture(), "base64"));
    const prompts = Array.from({ length: 8 }, (_, nth) => `slow zoom ${nth}`);
    for (const [nth, prompt] of prompts.entries())
      await surface.intake.command(person(nth % 2 ? "ann" : "bob"), "video", {
        image: { surface: "web", id: photo },
        prompt,
      });
    const { kysely } = database;
    const delivered = async () =>
      sumOf(readMetrics(await metrics.text()), "reelay_deliveries_total", { outcome: "delivered" });
    await expect.poll(delivered).toBe(prompts.length);

    const text = await metrics.text();
    const numbers = readMetrics(text);
    const [sums] = await sumUsage(database, { by: [] }, true);
    const jobs = await kysely.selectFrom("jobs").selectAll().execute();
    const failed = jobs.filter(({ state }) => state === "failed").length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(prompts.length);
    const made = { operation: "video", platform: "web" };
    const count = (name: string, labels = {}) => sumOf(numbers, name, { ...made, ...labels });
    expect(count("reelay_jobs_total")).toBe(prompts.length);
    expect(count("reelay_jobs_ended_total", { outcome: "completed" })).toBe(sums?.successes);
    expect(count("reelay_jobs_ended_total", { outcome: "failed" })).toBe(failed);
    expect(count("reelay_jobs_failed_total", { code: "job_failed" })).toBe(failed);
    expect(count("reelay_tokens_total")).toBe(sums?.tokens);
    expect(count("reelay_deliveries_total")).toBe(prompts.length);
    const took = jobs.map((job) => (job.delivered_at ?? NaN) - job.created_at);
    const seconds = took.reduce((sum, ms) => sum + ms, 0) / 1_000;
    expect(count("reelay_job_delivered_seconds_sum")).toBeCloseTo(seconds, 6);
    for (const stage of ["accepted", "ended", "delivered"])
      expect(count(`reelay_job_${stage}_seconds_count`)).toBe(prompts.length);
    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(prompts.length);
    // What is read beside the jobs may be on its way.
    await expect
      .poll(async () => {
        const { requests } = await sandbox.ledger();
        const now = readMetrics(await metrics.text());
        const counted = Object.keys(requests).map((group) => [
          group,
          sumOf(now, "reelay_service_requests_total", { group }) - (requests[group] ?? 0),
        ]);
        return counted.filter(([, apart]) => apart !== 0);
      })
      .toEqual([]);
    metrics.close();
    expect(sumOf(numbers, "reelay_jobs_open")).toBe(0);
    expect(numbers.get('reelay_platform_up{platform="web"}')).toBe(1);
    expect(numbers.get('reelay_egress_up{egress="office"}')).toBe(1);
    expect(numbers.get('reelay_egress_up{egress="second"}')).toBe(0);
    expect(numbers.get("reelay_storage_up")).toBe(1);
    expect(numbers.get("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(numbers.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);

    const secrets = jobs.flatMap(({ id, key_id, service_id }) => [id, key_id, String(service_id)]);
    for (const secret of [...secrets, sandbox.keys.ultra, "ann", "bob", "slow", "zoom", "photo"])
      expect(text).not.toContain(secret);
  });

  it("say how full the windows of the published rates are, of a key that of the fullest", async () => {
    await using database = await opened();
    const later = Date.now() + 3_600_000;
    const slots = (scope: string, rate_group: string, count: number, until = later) =>
      Array.from({ length: count }, (_, nth) => ({
        id: `${scope}${rate_group}${nth}`,
        scope,
        rate_group,
        until,
      }));
    await database.kysely
      .insertInto("rate_slots")
      .values([
        ...slots("key:one", "video", 5),
        ...slots("key:two", "video", 10),
        ...slots("egress:default", "video", 15),
        ...slots("people:egress:default", "status", 7),
        ...slots("egress:default", "status", 30),
        ...slots("egress:default", "image", 1, 1),
      ])
      .execute();
    const metrics = openMetrics({ database, ...none });
    const numbers = readMetrics(await metrics.text());
    metrics.close();
    const used = [...numbers].filter(([sample]) => sample.startsWith("reelay_limit_used_ratio"));
    expect(Object.fromEntries(used)).toEqual({
      'reelay_limit_used_ratio{scope="key",group="video"}': 0.5,
      'reelay_limit_used_ratio{scope="egress:default",group="video"}': 0.75,
      'reelay_limit_used_ratio{scope="egress:default",group="status"}': 0.25,
    });
  });

  it("say how much of the budget of the operator's key is spent, and nothing of anybody else's", async () => {
    await using database = await opened();
    const metrics = openMetrics({ database, ...none, budgets: () => ({ day: 50, month: 400 }) });
    const [day, month] = budgetsOfKey({ day: 50, month: 400 });
    if (!day || !month) throw new Error("There are two.");
    const holding = { price: 12.5, dearest: 100, warnAt: undefined, now: Date.now() };
    await hold(database, {
      ...holding,
      budgets: [day, month, { ...day, by: "telegram:1", whose: "person" }],
    });
    const numbers = readMetrics(await metrics.text());
    metrics.close();
    const used = [...numbers].filter(([sample]) => sample.startsWith("reelay_budget_used_ratio"));
    expect(Object.fromEntries(used)).toEqual({
      'reelay_budget_used_ratio{period="day"}': 0.25,
      'reelay_budget_used_ratio{period="month"}': 12.5 / 400,
    });
  });

  it("say that the database cannot be read, and nothing of what was seen in it before", async () => {
    const database = await opened();
    const metrics = openMetrics({ database, ...none });
    expect(sumOf(readMetrics(await metrics.text()), "reelay_storage_up")).toBe(1);
    await database.close();
    const numbers = readMetrics(await metrics.text());
    metrics.close();
    expect(sumOf(numbers, "reelay_storage_up")).toBe(0);
    expect([...numbers.keys()].filter((sample) => sample.startsWith("reelay_jobs_open"))).toEqual([]);
  });

  it("are gathered once for all who ask at once", async () => {
    await using database = await opened();
    let looks = 0;
    const metrics = openMetrics({ database, ...none, platforms: () => ((looks += 1), []) });
    const texts = await Promise.all(Array.from({ length: 20 }, () => metrics.text()));
    metrics.close();
    expect(new Set(texts).size).toBe(1);
    expect(looks).toBe(1);
  });
});

async function opened() {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  return {
    ...database,
    kysely: database.kysely,
    close: () => database.close(),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
