import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../../src/domain/accounts/accounts.ts";
import { watchAccount } from "../../../../src/domain/alerts/watchers/account.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { MediaApi, Transport } from "../../../../src/infrastructure/api/media-api.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { endedJob } from "../../../support/job.ts";
import { temporaryFolder, testSandbox, type TestSandbox } from "../../../support/sandbox.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse("2026-03-10T12:00:00Z");

let sandbox: TestSandbox;
const transport = new Transport();
let database: Database;

beforeAll(async () => {
  sandbox = await testSandbox();
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});

afterAll(async () => {
  await database.close();
  await transport.close();
  await sandbox.stop();
});

/** The account of a key at the sandbox. */
function accountOf(key: string, source: Account["source"] = "operator") {
  const noted: number[] = [];
  const account = {
    source,
    keyId: "the-operators",
    api: () => new MediaApi({ baseUrl: sandbox.url, key, transport, retry: { attempts: 1 } }),
    noteBalance: (tokens: number) => void noted.push(tokens),
  } as unknown as Account;
  return { account, noted };
}

const watching = (account: Account | undefined, tokenDays = 3) =>
  watchAccount({ account: () => account, database, tokenDays, now: () => NOW }).look(
    new AbortController().signal,
  );

describe("the operator's account", () => {
  it("is refused where the service does not take its key", async () => {
    expect(await watching(accountOf("a-key-of-nobody").account)).toEqual([
      { kind: "key_refused", params: {} },
    ]);
  });

  it("says nothing of a service that is away, of the sandbox's play money, or where there is no key", async () => {
    const { account } = accountOf(sandbox.keys.ultra);
    const gone = {
      ...account,
      api: () =>
        new MediaApi({ baseUrl: "http://127.0.0.1:9/api", key: "k", transport, retry: { attempts: 1 } }),
    };
    expect(await watching(gone)).toEqual([]);
    expect(await watching(accountOf("a-key-of-nobody", "sandbox").account)).toEqual([]);
    expect(await watching(undefined)).toEqual([]);
  });

  it("ends at the pace of the last week's jobs under that key", async () => {
    const { account, noted } = accountOf(sandbox.keys.ultra);
    expect(await watching(account)).toEqual([]);
    const [balance = 0] = noted;
    const ledger = new Ledger(database, "one");
    // A seventh of what is left in a week is a pace that it lasts seven weeks at.
    const spend = (keyId: string, cost: number, at: number) =>
      endedJob(ledger, { keyId }, { at, cost, seconds: 1 });
    await spend("somebody-else", balance * 100, NOW - DAY_MS);
    await spend("the-operators", balance * 100, NOW - 8 * DAY_MS);
    await spend("the-operators", balance, NOW - 7 * DAY_MS + 1_000);
    expect(await watching(account)).toEqual([]);
    const [ending] = await watching(account, 8);
    expect(ending?.kind).toBe("tokens_ending");
    expect(ending?.params["left"]).toBe(balance);
    expect(Number(ending?.params["at"]) - NOW).toBeCloseTo(7 * DAY_MS, -5);
    expect(await watching(account, 0)).toEqual([]);
  });

  it("of an installation of a few hours is not judged by these alone", async () => {
    const young = await openDatabase(join(temporaryFolder(), "reelay.db"));
    const { account, noted } = accountOf(sandbox.keys.ultra);
    const look = () =>
      watchAccount({ account: () => account, database: young, tokenDays: 3, now: () => NOW }).look(
        new AbortController().signal,
      );
    await look();
    const [balance = 0] = noted;
    const hour = { at: NOW - DAY_MS / 24, seconds: 1 };
    await endedJob(new Ledger(young, "one"), { keyId: "the-operators" }, { ...hour, cost: balance / 4 });
    expect(await look()).toEqual([]);
    await endedJob(new Ledger(young, "one"), { keyId: "the-operators" }, { ...hour, cost: balance / 4 });
    expect((await look()).map(({ kind }) => kind)).toEqual(["tokens_ending"]);
    await young.close();
  });
});
