import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { Tagger } from "../../../src/domain/jobs/tagger.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { MIGRATIONS } from "../../../src/infrastructure/storage/migrations.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** How many migrations there were before jobs had tags. */
const VERSION_BEFORE = 6;

const ann = { platform: "telegram", user: "telegram:ann" } as const;

async function opened(path = join(temporaryFolder(), "reelay.db")) {
  const database = await openDatabase(path);
  onTestFinished(() => database.close());
  return database;
}

/** Writes a job as the version before tags did. */
function writeOlder(sqlite: DatabaseSync, id: string, user: string, state: string): void {
  const [surface = ""] = user.split(":");
  sqlite
    .prepare(
      `insert into jobs (id, user, surface, address, key_id, operation, input, fingerprint, state, delivery, cost,
         created_at, ended_at, not_before, attempts, runner)
       values (?, ?, ?, '{}', 'k', 'video', '{"prompt":"slow zoom"}', 'f', ?, 'none', 6.5, ?, ?, 0, 0, 'older')`,
    )
    .run(
      id,
      user,
      surface,
      state,
      Date.UTC(2026, 0, 1),
      state === "completed" ? Date.UTC(2026, 0, 1, 0, 1) : null,
    );
}

/** A database of the version before tags, with jobs in it. */
function older(): string {
  const path = join(temporaryFolder(), "reelay.db");
  const sqlite = new DatabaseSync(path);
  for (const script of MIGRATIONS.slice(0, VERSION_BEFORE)) sqlite.exec(script);
  sqlite.exec(`pragma user_version = ${VERSION_BEFORE}`);
  writeOlder(sqlite, "1", "telegram:ann", "completed");
  writeOlder(sqlite, "2", "telegram:ann", "queued");
  writeOlder(sqlite, "3", "web:me", "failed");
  sqlite.close();
  return path;
}

describe("a job's tags", () => {
  it("give somebody one name, also where two processes open a new database at once", async () => {
    const database = await opened();
    const taggers = await Promise.all([
      Tagger.open(database, "pseudonym"),
      Tagger.open(database, "pseudonym"),
    ]);
    const names = taggers.map((tagger) => tagger.tagsOf(ann).inAppUsername);
    expect(new Set(names).size).toBe(1);
  });

  it("are the platform's name, and a pseudonym that is another in every installation", async () => {
    const database = await opened();
    const { platform, inAppUsername } = (await Tagger.open(database, "pseudonym")).tagsOf(ann);
    expect(platform).toBe("telegram");
    expect(inAppUsername).toMatch(/^[0-9a-f]{16}$/);
    expect((await Tagger.open(database, "pseudonym")).tagsOf(ann)).toEqual({ platform, inAppUsername });
    expect((await Tagger.open(await opened(), "pseudonym")).tagsOf(ann).inAppUsername).not.toBe(
      inAppUsername,
    );
  });

  it("are the real id where the operator wants it", async () => {
    const tagger = await Tagger.open(await opened(), "real");
    expect(tagger.tagsOf(ann)).toEqual({ platform: "telegram", inAppUsername: "ann" });
  });

  it("are those that a request came with, as far as it has any", async () => {
    const tagger = await Tagger.open(await opened(), "real");
    expect(tagger.tagsOf({ ...ann, tags: { inAppUsername: "u-7" } })).toEqual({
      platform: "telegram",
      inAppUsername: "u-7",
    });
    expect(tagger.tagsOf({ ...ann, tags: { platform: "shop", inAppUsername: "u-7" } })).toEqual({
      platform: "shop",
      inAppUsername: "u-7",
    });
  });

  it("are made up for jobs of the version before, each of which stays what it was", async () => {
    const path = older();
    const database = await opened(path);
    const tagger = await Tagger.open(database, "pseudonym");
    const ledger = new Ledger(database, "one");
    const me = tagger.tagsOf({ platform: "web", user: "web:me" });
    expect((await ledger.find("1"))?.tags).toEqual(tagger.tagsOf(ann));
    expect(await ledger.find("2")).toMatchObject({
      tags: tagger.tagsOf(ann),
      state: "queued",
      values: { prompt: "slow zoom" },
    });
    expect((await ledger.find("3"))?.tags).toEqual(me);
    expect(await sumUsage(database, { by: ["platform"] }, false)).toEqual([
      { platform: "telegram", jobs: 2, successes: 1, tokens: 13, seconds: 60 },
      { platform: "web", jobs: 1, successes: 0, tokens: 6.5, seconds: null },
    ]);
  });

  it("are made up for what a process of the version before still writes, and never made anew", async () => {
    const path = older();
    const database = await opened(path);
    const tagger = await Tagger.open(database, "pseudonym");
    const sqlite = new DatabaseSync(path);
    writeOlder(sqlite, "4", "telegram:ann", "queued");
    sqlite.close();
    const before = tagger.tagsOf(ann);
    const real = await Tagger.open(database, "real");
    const ledger = new Ledger(database, "one");
    expect((await ledger.find("4"))?.tags).toEqual(real.tagsOf(ann));
    expect((await ledger.find("1"))?.tags).toEqual(before);
  });
});
