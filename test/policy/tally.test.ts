import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Cap, Tally } from "../../src/policy/tally.ts";
import { type Database, openDatabase } from "../../src/storage/database.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const person: Cap = { code: "daily_cap", keyId: "k1", by: "discord:1", max: 3 };
const group: Cap = { code: "chat_cap", keyId: "k1", by: "discord:9", max: 5 };

describe("what is begun in a day", () => {
  let database: Database;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 1, 23, 0) });
    database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
  });

  it("counts by key and by whom, up to the caps", async () => {
    const tally = new Tally(database);
    for (let nth = 1; nth <= 3; nth++) expect(await tally.begin([person, group])).toBeUndefined();
    expect(await tally.begin([person, group])).toEqual(person);
    expect(await tally.begin([{ ...person, by: "discord:2" }, group])).toBeUndefined();
    expect(await tally.begin([{ ...person, keyId: "k2" }])).toBeUndefined();
    // What was refused by one cap was counted under none.
    expect(await tally.count(group)).toBe(4);
  });

  it("lets only as many begin at the same moment as may", async () => {
    const tally = new Tally(database);
    const begun = await Promise.all(Array.from({ length: 8 }, () => tally.begin([person])));
    expect(begun.filter((reached) => reached === undefined)).toHaveLength(3);
  });

  it("begins anew at midnight (UTC)", async () => {
    const tally = new Tally(database);
    await tally.begin([{ ...person, max: 1 }]);
    vi.setSystemTime(Date.UTC(2030, 0, 1, 23, 59, 59, 999));
    expect(await tally.reached([{ ...person, max: 1 }])).toMatchObject({ code: "daily_cap" });
    vi.setSystemTime(Date.UTC(2030, 0, 2));
    expect(await tally.reached([{ ...person, max: 1 }])).toBeUndefined();
  });

  it("names nobody", async () => {
    await new Tally(database).begin([person, group]);
    const rows = JSON.stringify(await database.kysely.selectFrom("kv").selectAll().execute());
    for (const name of ["discord", "k1"]) expect(rows).not.toContain(name);
  });
});
