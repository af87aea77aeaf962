import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Cap, UsageCounter } from "../../../src/domain/policy/usage-counter.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const person: Cap = { period: "day", payer: "k1", by: "discord:1", max: 3 };
const group: Cap = { period: "day", payer: "k1", by: "discord:9", max: 5 };
const partner: Cap = { period: "month", by: "http:shop", max: 2 };

const aJob = (id: string) => ({ id, user: "discord:1", chat: "discord:9" }) as const;

describe("what is begun in a day or a month", () => {
  let database: Database;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 1, 23, 0) });
    database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
  });

  /** As a job that is written. */
  const beginJob = (job: string, ...caps: readonly Cap[]) =>
    database.kysely.transaction().execute((kysely) => new UsageCounter({ kysely }).begin(caps, job));
  const begin = (...caps: readonly Cap[]) => beginJob(randomUUID(), ...caps);

  it("counts by key and by whom, up to the caps", async () => {
    for (let nth = 1; nth <= 3; nth++) expect(await begin(person, group)).toBeUndefined();
    expect(await begin(person, group)).toEqual(person);
    expect(await begin({ ...person, by: "discord:2" }, group)).toBeUndefined();
    expect(await begin({ ...person, payer: "k2" })).toBeUndefined();
    // What was refused by one cap was counted under none.
    expect(await new UsageCounter(database).count(group)).toBe(4);
  });

  it("takes back what a job counted as, once, under every cap, and nothing of a day that is over", async () => {
    const usage = new UsageCounter(database);
    const counts = () => Promise.all([person, group, partner].map((one) => usage.count(one)));
    await beginJob("a", person, group, partner);
    await beginJob("b", person);
    await usage.giveBack(aJob("a"));
    await usage.giveBack(aJob("a"));
    await usage.giveBack(aJob("unknown"));
    expect(await counts()).toEqual([1, 0, 0]);
    await beginJob("c", person, partner);
    vi.setSystemTime(Date.UTC(2030, 0, 2));
    await beginJob("d", person);
    await usage.giveBack(aJob("c"));
    expect(await counts()).toEqual([1, 0, 0]);
  });

  it("lets only as many begin at the same moment as may", async () => {
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(person)));
    expect(begun.filter((reached) => reached === undefined)).toHaveLength(3);
  });

  it("begins anew at midnight (UTC)", async () => {
    const usage = new UsageCounter(database);
    await begin({ ...person, max: 1 });
    vi.setSystemTime(Date.UTC(2030, 0, 1, 23, 59, 59, 999));
    expect(await usage.reached([{ ...person, max: 1 }])).toMatchObject({ by: person.by });
    vi.setSystemTime(Date.UTC(2030, 0, 2));
    expect(await usage.reached([{ ...person, max: 1 }])).toBeUndefined();
  });

  it("begins anew with the month, whichever key pays and however long the month is", async () => {
    const usage = new UsageCounter(database);
    await begin(partner);
    vi.setSystemTime(Date.UTC(2030, 0, 31, 23, 59, 59, 999));
    await begin(partner);
    expect(await usage.reached([partner])).toEqual(partner);
    vi.setSystemTime(Date.UTC(2030, 1, 1));
    expect(await usage.reached([partner])).toBeUndefined();
  });

  it("leaves nothing behind when its time is over", async () => {
    await begin(person, partner);
    vi.setSystemTime(Date.UTC(2030, 1, 1));
    // The count, and what the job counted as.
    await begin({ ...person, by: "discord:3" });
    expect(await database.kysely.selectFrom("kv").select("key").execute()).toHaveLength(2);
  });

  it("names nobody", async () => {
    await begin(person, group, partner);
    const rows = JSON.stringify(await database.kysely.selectFrom("kv").selectAll().execute());
    for (const name of ["discord", "k1", "shop"]) expect(rows).not.toContain(name);
  });
});
