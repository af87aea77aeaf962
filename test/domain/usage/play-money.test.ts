import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hold } from "../../../src/domain/budgets/spending.ts";
import { Ledger, type NewJob } from "../../../src/domain/jobs/ledger.ts";
import { spentBudgets } from "../../../src/domain/operators/spent-budgets.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { budgetsOfPartner, partnerStates } from "../../../src/domain/policy/budgets.ts";
import { capsOfPartner, countUnder } from "../../../src/domain/policy/caps.ts";
import { partnerLeft } from "../../../src/domain/policy/left.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { dialectOf } from "../../../src/infrastructure/storage/dialect.ts";
import type { Partner } from "../../../src/seam/access/partners.ts";
import { aRequest, endedJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const DAY_MS = 86_400_000;
const NOON = Date.parse("2026-03-11T12:00:00Z");

let path: string;
let database: Database;
let ledger: Ledger;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  path = join(temporaryFolder(), "reelay.db");
  database = await openDatabase(path);
  ledger = new Ledger(database, "one");
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const shop: Partner = {
  id: "shop",
  name: "Shop",
  platform: "shop",
  createdAt: 1,
  caps: { day: 3, month: 5, dayTokens: 100, monthTokens: 200 },
  userCaps: { month: 4, dayTokens: 50 },
  requestsPerMinute: 60,
};
const NO_BUDGETS = { person: {}, chat: {}, key: {}, warnAt: undefined };
const SHOP = "http:shop";

let count = 0;
/** A job of the shop's that came to something, or to nothing, and was told. */
async function made(paidBy: NewJob["paidBy"], cost: number, daysAgo = 0) {
  const at = NOON - daysAgo * DAY_MS;
  const asked = {
    user: SHOP,
    surface: "http",
    tags: { platform: "shop", inAppUsername: "ann" },
    fingerprint: String((count += 1)),
    ...(paidBy !== undefined && { paidBy }),
  } as const;
  return endedJob(ledger, asked, { at, cost, toldAt: at, seconds: 1 });
}

it("is in no sum of a service's tokens, and the only money in those of the sandbox, of erased jobs, too", async () => {
  const query = { by: ["operation"], user: SHOP } as const;
  await made("sandbox", 20, 6);
  await made("own", 2, 1);
  await made("operator", 1, 1);
  // An older version wrote it: the tokens may have been real.
  await made(null, 0.5, 1);
  const expected = async () => {
    expect(await sumUsage(database, query, false)).toMatchObject([{ jobs: 3, tokens: 3.5 }]);
    expect(await sumUsage(database, query, true)).toMatchObject([{ jobs: 1, tokens: 20 }]);
  };
  await expected();
  for (const { id } of await database.kysely.selectFrom("jobs").select("id").execute())
    await ledger.remove(id);
  await expected();
});

it("leaves a partner's budgets and caps of a service whole, and takes from those of the sandbox", async () => {
  await new PartnerBook(database).add({ partner: shop, tokens: [] });
  const begin = (source: "own" | "sandbox", inSandbox: boolean, price: number) =>
    database.kysely
      .transaction()
      .execute((kysely) =>
        countUnder(
          capsOfPartner(shop, "ann", { source }, { key: {} }, inSandbox),
          { kysely },
          { id: String((count += 1)), user: SHOP },
          { cost: { price, dearest: 100 }, warnAt: 0.8 },
        ),
      );
  const spent = async (inSandbox: boolean) =>
    (await partnerStates(database, SHOP, "ann", NOON, inSandbox)).map((state) => state.spent);
  expect((await begin("sandbox", true, 40)).warnings).toMatchObject([{ whose: "user", spent: 40 }]);
  // A key of the sandbox that somebody connected pays in play money, too.
  await begin("own", true, 5);
  await expect(begin("sandbox", true, 10)).rejects.toMatchObject({ code: "budget_spent" });
  expect((await begin("own", false, 30)).warnings).toEqual([]);
  expect(await spent(true)).toEqual([45, 45, 45]);
  expect(await spent(false)).toEqual([30, 30, 30]);
  const listed = async (inSandbox: boolean) =>
    (await spentBudgets(database, NO_BUDGETS, NOON, inSandbox)).map((state) => state.spent);
  expect([await listed(true), await listed(false)]).toEqual([
    [45, 45],
    [30, 30],
  ]);
  expect(await partnerLeft(database, SHOP, NOON, true)).toMatchObject({ dayTokens: 55 });
  expect(await partnerLeft(database, SHOP, NOON, false)).toMatchObject({
    day: 2,
    month: 4,
    dayTokens: 70,
    monthTokens: 170,
  });
});

it("is taken by an upgrade out of what was counted together, as far as anybody knows", async () => {
  await new PartnerBook(database).add({ partner: shop, tokens: [] });
  const budgets = budgetsOfPartner(shop, "ann", false);
  const accepted = (paidBy: NewJob["paidBy"], price: number) =>
    ledger.add(
      aRequest({
        user: SHOP,
        fingerprint: String((count += 1)),
        ...(paidBy !== undefined && { paidBy }),
      }),
      NOON,
      async ({ kysely }) => {
        const outcome = await hold(
          { kysely },
          { budgets, price, dearest: 100, warnAt: undefined, now: NOON },
        );
        return "held" in outcome ? { held: outcome.held } : undefined;
      },
    );
  await accepted("sandbox", 20.5);
  await accepted("sandbox", 4);
  const real = await accepted("own", 3);
  for (const [paidBy, cost, daysAgo] of [
    ["sandbox", 20, 3],
    // Of these two nobody knows which was erased, by what was kept.
    ["sandbox", 10, 2],
    ["own", 2, 2],
    ["own", 1, 1],
  ] as const)
    await ledger.remove(await made(paidBy, cost, daysAgo));
  const before = (await ledger.find(real.id))?.held;
  await asBefore();
  database = await openDatabase(path);
  ledger = new Ledger(database, "one");
  const states = await partnerStates(database, SHOP, "ann", NOON, false);
  expect(states.map(({ spent }) => spent)).toEqual([3, 3, 3]);
  expect((await ledger.find(real.id))?.held).toEqual(before);
  const days = async (inSandbox: boolean) =>
    (await sumUsage(database, { by: ["day"] }, inSandbox))
      .filter(({ tokens }) => tokens > 0)
      .map(({ day, tokens }) => [day, tokens]);
  expect(await days(true)).toEqual([["2026-03-08", 20]]);
  expect(await days(false)).toEqual([
    ["2026-03-09", 12],
    ["2026-03-10", 1],
  ]);
});

/** Takes the last step of the migrations back, and closes the database. */
async function asBefore(): Promise<void> {
  const { kysely, schema } = database;
  for (const statement of [
    "drop view usage",
    "alter table erased_jobs drop column paid_by",
    dialectOf(kysely).hasFiles
      ? `pragma user_version = ${schema - 1}`
      : `update migrated set scripts = ${schema - 1}`,
  ])
    await sql.raw(statement).execute(kysely);
  await database.close();
}
