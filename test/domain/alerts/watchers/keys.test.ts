import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LookedKey } from "../../../../src/domain/accounts/look-at-key.ts";
import { watchKeys } from "../../../../src/domain/alerts/watchers/keys.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import type { PoolKey } from "../../../../src/domain/pool/key-pool.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { endedJob } from "../../../support/job.ts";
import { StoredKey } from "../../../../src/infrastructure/vault/stored-key.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse("2026-03-10T12:00:00Z");

let database: Database;

beforeAll(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});

afterAll(() => database.close());

/** What a look at a key comes to. */
const looked = (tokens: number | undefined, different: Partial<PoolKey> = {}): LookedKey => ({
  key: {
    id: "the-operators",
    name: "REELAY_API_KEY",
    key: new StoredKey("a-key"),
    service: "http://service",
    account: null,
    state: "in",
    since: NOW,
    weight: 1,
    tier: null,
    left: null,
    ...different,
  },
  tokens,
});

const watcherOf = (keys: readonly LookedKey[], tokenDays = 3, kept = database) =>
  watchKeys({
    keys: async () => keys,
    pool: async () => keys.map(({ key }) => key),
    database: kept,
    tokenDays,
    now: () => NOW,
  });

const isOver = (kind: "key_refused" | "tokens_ending", of: string | undefined, ...keys: LookedKey[]) =>
  watcherOf(keys).removed?.isRemoved({ kind, ...(of !== undefined && { of }) });

const watching = (keys: readonly LookedKey[], tokenDays = 3, kept = database) =>
  watcherOf(keys, tokenDays, kept).look(new AbortController().signal);

describe("the operator's keys", () => {
  it("are told of by their names where the service refuses one, or its tokens do not suffice", async () => {
    const refused = looked(undefined, { state: "refused" });
    const empty = looked(0.5, { id: "two", name: "second", state: "empty", left: 0.5 });
    expect(await watching([refused, empty, looked(5, { id: "three", name: "third" })])).toEqual([
      { kind: "key_refused", of: "REELAY_API_KEY", params: { name: "REELAY_API_KEY" } },
      { kind: "key_empty", of: "second", params: { name: "second", left: 0.5 } },
    ]);
  });

  it("are told of no more as soon as they are taken out, or paused", async () => {
    const second = (state: PoolKey["state"]) => looked(undefined, { id: "two", name: "second", state });
    expect(await isOver("key_refused", "second", looked(5), second("refused"))).toBe(false);
    expect(await isOver("key_refused", "second", looked(5))).toBe(true);
    expect(await isOver("key_refused", "second", looked(5), second("removed"))).toBe(true);
    expect(await isOver("key_refused", "second", looked(5), second("paused"))).toBe(true);
    expect(await isOver("tokens_ending", undefined, looked(5))).toBe(false);
    expect(await isOver("tokens_ending", undefined, second("removed"))).toBe(true);
  });

  it("say nothing where there are none, or the service is away", async () => {
    expect(await watching([])).toEqual([]);
    expect(await watching([looked(undefined)])).toEqual([]);
  });

  it("end at the pace of the last week's jobs under them, all together", async () => {
    const balance = 5000;
    const keys = [looked(balance - 1000), looked(1000, { id: "another" })];
    expect(await watching(keys)).toEqual([]);
    const ledger = new Ledger(database, "one");
    // A seventh of what is left in a week is a pace that it lasts seven weeks at.
    const spend = (keyId: string, cost: number, at: number) =>
      endedJob(ledger, { keyId }, { at, cost, seconds: 1 });
    await spend("somebody-else", balance * 100, NOW - DAY_MS);
    await spend("the-operators", balance * 100, NOW - 8 * DAY_MS);
    await spend("the-operators", balance / 4, NOW - 7 * DAY_MS + 1_000);
    await spend("another", (balance / 4) * 3, NOW - 7 * DAY_MS + 1_000);
    expect(await watching(keys)).toEqual([]);
    const [ending] = await watching(keys, 8);
    expect(ending?.kind).toBe("tokens_ending");
    expect(ending?.params["left"]).toBe(balance);
    expect(Number(ending?.params["at"]) - NOW).toBeCloseTo(7 * DAY_MS, -5);
    expect(await watching(keys, 0)).toEqual([]);
    // What one does not tell may be the most of it.
    expect(await watching([looked(undefined), looked(1000, { id: "another" })], 8)).toEqual([]);
  });

  it("of an installation of a few hours are not judged by these alone", async () => {
    const young = await openDatabase(join(temporaryFolder(), "reelay.db"));
    const balance = 100;
    const look = () => watching([looked(balance)], 3, young);
    const hour = { at: NOW - DAY_MS / 24, seconds: 1 };
    await endedJob(new Ledger(young, "one"), { keyId: "the-operators" }, { ...hour, cost: balance / 4 });
    expect(await look()).toEqual([]);
    await endedJob(new Ledger(young, "one"), { keyId: "the-operators" }, { ...hour, cost: balance / 4 });
    expect((await look()).map(({ kind }) => kind)).toEqual(["tokens_ending"]);
    await young.close();
  });
});
