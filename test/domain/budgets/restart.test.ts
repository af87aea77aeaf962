import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { testCore } from "../../support/core.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";

const ann = person("ann", "telegram");

it("counts what was spent before the restart that sets a budget in the environment, and while another cleared it", async () => {
  await using sandbox = await testSandbox();
  const data = temporaryFolder();
  const restarted = (budget: Readonly<Record<string, string>>) =>
    testCore(sandbox, {
      data,
      source: "operator",
      surface: new MemorySurface("telegram"),
      settings: { REELAY_OPERATOR_KEY_FOR: "all", ...budget },
    });
  /** Asks for a picture. @returns what it cost, or the problem that refused it */
  const ask = async (budget: Readonly<Record<string, string>>) => {
    await using core = await restarted(budget);
    const { surface } = core;
    await surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await surface.until(() => surface.showing("problem").length + surface.showing("result").length > 0);
    return surface.showing("problem")[0]?.problem ?? surface.showing("result")[0]?.cost;
  };

  const cost = Number(await ask({}));
  expect(cost).toBeGreaterThan(0);
  expect(await ask({ REELAY_MONTHLY_BUDGET: cost.toFixed(2) })).toMatchObject({
    code: "budget_spent",
    params: { whose: "person", during: "month", budget: cost, spent: cost },
  });
  expect(await ask({ REELAY_MONTHLY_BUDGET: (2 * cost).toFixed(2) })).toBe(cost);
  expect(await ask({})).toBe(cost);
  expect(await ask({ REELAY_MONTHLY_BUDGET: (3.5 * cost).toFixed(2) })).toMatchObject({
    params: { spent: Number((3 * cost).toFixed(2)) },
  });
  expect(await ask({ REELAY_KEY_MONTHLY_BUDGET: (3 * cost).toFixed(2) })).toMatchObject({
    code: "shared_budget_spent",
  });
  expect((await sandbox.ledger()).submissions).toHaveLength(3);
});

it("counts what a version from before budgets made, once it was taken to this one", async () => {
  await using sandbox = await testSandbox();
  const data = temporaryFolder();
  const settings = { REELAY_OPERATOR_KEY_FOR: "all" };
  let cost: number;
  {
    await using before = await testCore(sandbox, { data, source: "operator", settings });
    await before.surface.intake.command(person("me"), "image", { prompt: "a lighthouse" });
    cost = (await before.surface.results(1))[0]?.cost ?? 0;
    // As that left it.
    await before.database.kysely.deleteFrom("spent").execute();
    await before.database.kysely.updateTable("jobs").set({ paid_by: null, held: null }).execute();
  }
  const budget = { REELAY_KEY_MONTHLY_BUDGET: cost.toFixed(2) };
  await using core = await testCore(sandbox, {
    data,
    source: "operator",
    settings: { ...settings, ...budget },
  });
  const uncounted = core.database.kysely.selectFrom("jobs").select("id").where("held", "is", null);
  while (await uncounted.executeTakeFirst()) await sleep(20);
  await core.surface.intake.command(person("me"), "image", { prompt: "a lighthouse" });
  expect(core.surface.showing("problem").map(({ problem }) => problem)).toMatchObject([
    { code: "budget_spent", params: { whose: "key", spent: cost } },
  ]);
});

it("counts nothing that the sandbox asked for once a service is set, whichever key was connected there", async () => {
  await using sandbox = await testSandbox();
  const anybody = person("anybody");
  const data = temporaryFolder();
  const settings = { REELAY_OPERATOR_KEY_FOR: "all" };
  const made = async (source: "sandbox" | "operator", key?: string) => {
    await using core = await testCore(sandbox, { data, source, settings });
    const { intake } = core.surface;
    if (key !== undefined) await intake.command(anybody, "connect", { key });
    await intake.command(anybody, "image", { prompt: "a lighthouse" });
    await core.surface.results(1);
    const counted = async (inSandbox: boolean) =>
      (await sumUsage(core.database, { by: [], user: anybody.user }, inSandbox))[0]?.jobs ?? 0;
    return { real: await counted(false), play: await counted(true) };
  };
  expect(await made("sandbox")).toEqual({ real: 0, play: 1 });
  expect(await made("sandbox", sandbox.keys.pro)).toEqual({ real: 0, play: 2 });
  expect(await made("operator")).toEqual({ real: 1, play: 2 });
});
