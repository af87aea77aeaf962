import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { priceRangeOf } from "../../../src/domain/usage/price-range.ts";
import type { NewJob } from "../../../src/domain/jobs/ledger.ts";
import { toRow } from "../../../src/domain/jobs/row.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { aJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

let database: Database;
let count = 0;

beforeAll(async () => void (database = await openDatabase(join(temporaryFolder(), "reelay.db"))));
afterAll(() => database.close());

async function made(
  cost: number | null,
  duration: number | undefined,
  { paidBy = null, ...different }: Partial<Job> & Pick<NewJob, "paidBy"> = {},
) {
  const values = { prompt: "zoom", ...(duration !== undefined && { duration }) };
  const job = aJob({ id: `job-${++count}`, state: "completed", values, cost, ...different });
  await database.kysely
    .insertInto("jobs")
    .values({ ...toRow(job), runner: "here", paid_by: paidBy })
    .execute();
}

const range = (id: "video" | "image", duration?: number, inSandbox = false) =>
  priceRangeOf(database, operationOf(id), duration === undefined ? {} : { duration }, inSandbox);

it("is what at least three jobs of the same operation and length cost, whoever asked for them", async () => {
  await made(2.7, 6);
  await made(4.1, 6, { user: "telegram:2" });
  await made(9, 12);
  await made(null, 6);
  await made(99, 6, { state: "failed" });
  await made(1, undefined, { operation: "image" });
  expect(await range("video", 6)).toBeUndefined();
  await made(3, 6, { user: "discord:3" });
  expect(await range("video", 6)).toEqual({ least: 2.7, most: 4.1 });
  expect(await range("video", 12)).toBeUndefined();
  expect(await range("image")).toBeUndefined();
});

it("goes without a length for what has none", async () => {
  for (const cost of [1, 2, 1.5]) await made(cost, undefined, { operation: "image" });
  expect(await range("image")).toEqual({ least: 1, most: 2 });
});

it("is what play money is asked for in the sandbox, and nowhere else", async () => {
  for (const cost of [20, 21, 22]) await made(cost, 8, { paidBy: "sandbox" });
  expect(await range("video", 8)).toBeUndefined();
  expect(await range("video", 8, true)).toEqual({ least: 20, most: 22 });
  for (const cost of [7, 7.5, 8]) await made(cost, 8, { paidBy: "own" });
  expect(await range("video", 8)).toEqual({ least: 7, most: 8 });
});
