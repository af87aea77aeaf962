import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restore } from "../../../src/app/backups/backup.ts";
import { ScheduledBackups } from "../../../src/app/backups/scheduled-backups.ts";
import { BACKUP_STATE, type BackupState, watchBackups } from "../../../src/app/backups/state.ts";
import { backUpOnThread } from "../../../src/app/backups/thread.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { testDatabase } from "../../support/database.ts";
import { lockDatabase } from "../../support/locked-database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const log = makeLogger({ level: "silent" });

let data: string;
let folder: string;
let database: Database;
let now: number;

beforeEach(async () => {
  data = temporaryFolder();
  folder = temporaryFolder();
  database = await testDatabase(join(data, "reelay.db"));
  now = Date.parse("2026-03-10T12:00:00Z");
});

afterEach(() => database.close());

const made = () => readdirSync(folder).toSorted();
const failing = () => watchBackups(memory(database, "backups")).look(new AbortController().signal);

const failure = async () => (await memory(database, "backups").get<BackupState>(BACKUP_STATE))?.failed;

/** A process that makes backups every hour and keeps two. */
function aServer(different: Partial<ConstructorParameters<typeof ScheduledBackups>[0]> = {}) {
  const asked: string[] = [];
  const backups = new ScheduledBackups({
    folder,
    times: { everyMs: HOUR },
    keep: 2,
    memory: memory(database, "backups"),
    lock: join(data, "backups.lock"),
    async backUp(to) {
      asked.push(to);
      writeFileSync(to, "a backup");
      return { files: 1, bytes: 8, hasSecret: true };
    },
    now: () => now,
    log,
    ...different,
  });
  return { backups, asked };
}

describe("backups of a running server", () => {
  it("are real ones, made on a thread and read back, that can be gone back to", async () => {
    const place = { data, store: join(data, "reelay.db") };
    await memory(database, "people").set("ann", { locale: "en" });
    const { backups } = aServer({ backUp: (to, signal) => backUpOnThread(place, to, signal) });
    await backups.look();
    expect(made()).toEqual(["reelay-2026-03-10T12-00-00Z.backup"]);
    const other = temporaryFolder();
    const back = { data: other, store: join(other, "reelay.db"), secret: "a secret for tests only" };
    expect(await restore(back, join(folder, made()[0] ?? ""))).toMatchObject({ ended: 0 });
    const restored = await testDatabase(back.store);
    expect(await memory(restored, "people").get("ann")).toEqual({ locale: "en" });
    await restored.close();
  });

  it("are made when they are due, and the oldest goes once a new one is there; nothing else does", async () => {
    writeFileSync(join(folder, "reelay-mine.backup"), "made by hand");
    const { backups, asked } = aServer({
      async backUp(to) {
        // Only after it is read back whole.
        expect(made().filter((name) => /T1\d/.test(name)).length).toBeLessThanOrEqual(2);
        writeFileSync(to, "a backup");
        asked.push(to);
        return { files: 1, bytes: 8, hasSecret: true };
      },
    });
    for (let count = 0; count < 16; count += 1) {
      await backups.look();
      now += HOUR / 4;
    }
    expect(asked).toHaveLength(4);
    expect(made()).toEqual([
      "reelay-2026-03-10T14-00-00Z.backup",
      "reelay-2026-03-10T15-00-00Z.backup",
      "reelay-mine.backup",
    ]);
  });

  it("are made by one of several processes", async () => {
    const servers = [aServer(), aServer(), aServer()];
    await Promise.all(servers.map(({ backups }) => backups.look()));
    expect(servers.flatMap(({ asked }) => asked)).toHaveLength(1);
  });

  it("that fail are tried again after half an hour, take none away, and are told until one succeeds", async () => {
    const { backups } = aServer();
    await backups.look();
    now += HOUR;
    rmSync(folder, { recursive: true });
    await backups.look();
    expect(await failing()).toEqual([{ kind: "backup_failed", params: { reason: "ENOENT" } }]);
    mkdirSync(folder);
    now += 29 * MINUTE;
    await backups.look();
    expect(made()).toEqual([]);
    now += MINUTE;
    await backups.look();
    expect(made()).toEqual(["reelay-2026-03-10T13-30-00Z.backup"]);
    expect(await failing()).toEqual([]);
  });

  it("that failed are tried at once by whoever starts, and then no sooner than before", async () => {
    rmSync(folder, { recursive: true });
    await aServer().backups.look();
    mkdirSync(folder);
    now += MINUTE;
    const full = Object.assign(new Error("database or disk is full"), {
      code: "ERR_SQLITE_ERROR",
      errcode: 13,
    });
    const failing = aServer({ backUp: () => Promise.reject(full) });
    await failing.backups.look();
    expect(await failure()).toEqual({ at: now, reason: "the disk is full" });
    now += 29 * MINUTE;
    await failing.backups.look();
    expect(await failure()).toMatchObject({ at: now - 29 * MINUTE });
    now += MINUTE;
    await failing.backups.look();
    expect(await failure()).toMatchObject({ at: now });
    now += MINUTE;
    const next = aServer();
    await next.backups.look();
    expect(made()).toEqual(["reelay-2026-03-10T12-32-00Z.backup"]);
    expect(await failure()).toBeUndefined();
  });

  it("that a killed process was making are made by another one after a while, which clears up what was left", async () => {
    const killed = aServer({ backUp: () => new Promise(() => {}) });
    void killed.backups.look();
    await expect.poll(async () => (await memory(database, "backups").entries()).length).toBe(1);
    writeFileSync(join(folder, "reelay-2026-03-10T12-00-00Z.backup.unfinished"), "half");
    const { backups } = aServer();
    await backups.look();
    expect(made()).toEqual(["reelay-2026-03-10T12-00-00Z.backup.unfinished"]);
    now += 15 * MINUTE;
    await backups.look();
    expect(made()).toEqual(["reelay-2026-03-10T12-15-00Z.backup"]);
  });

  it("that a stop breaks off while the database is copied leave nothing behind", async () => {
    const other = temporaryFolder();
    const place = { data: other, store: join(other, "reelay.db") };
    await (await testDatabase(place.store)).close();
    const lock = lockDatabase(place.store);
    const stopped = aServer({ backUp: (to, signal) => backUpOnThread(place, to, signal) });
    const looking = stopped.backups.look();
    await expect.poll(() => made().filter((name) => name.endsWith(".backup.database"))).toHaveLength(1);
    await stopped.backups.stop();
    await looking;
    expect(made()).toEqual([]);
    expect(await failing()).toEqual([]);
    lock.release();
  });

  it("that a stop breaks off are no failure, and are made after the next start", async () => {
    const place = { data, store: join(data, "reelay.db") };
    const stopped = aServer({
      backUp: async (to, signal) => {
        const making = backUpOnThread(place, to, signal);
        void stopped.backups.stop();
        return making;
      },
    });
    await stopped.backups.look();
    expect(await failing()).toEqual([]);
    const { backups, asked } = aServer();
    await backups.look();
    expect(asked).toHaveLength(1);
  });
});
