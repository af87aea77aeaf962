import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  checkpointThread,
  EVERY_ROWS,
  PAGES_WITHOUT_HELP,
} from "../../../src/infrastructure/storage/checkpointer.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const PAGE = 4096;

/** One that tells of the threads that it starts, and of the file as others find it. */
async function opened(startThread?: (path: string) => Worker) {
  const path = join(temporaryFolder(), "reelay.db");
  const threads: Worker[] = [];
  const start = () => {
    const thread = (startThread ?? checkpointThread)(path);
    threads.push(thread);
    return thread;
  };
  const database = await openDatabase(path, undefined, undefined, start);
  onTestFinished(() => database.close());
  return { database, path, threads, logBytes: () => statSync(`${path}-wal`).size };
}

const entry = (key: string, value = "v") => ({ namespace: "n", key, value, expires_at: null });

const write = ({ kysely }: Database, ...entries: readonly ReturnType<typeof entry>[]) =>
  kysely.insertInto("kv").values(entries).execute();

/** @param from of the names */
async function writeMany(database: Database, from: number, to: number) {
  for (let nth = from; nth < to; nth += 64)
    await write(database, ...Array.from({ length: 64 }, (_none, more) => entry(`${nth + more}`)));
}

/** How many entries there are in the file alone, without its log. */
function entriesWithoutLog(path: string): number {
  const copy = join(temporaryFolder(), "copy.db");
  copyFileSync(path, copy);
  const sqlite = new DatabaseSync(copy);
  try {
    return Number(sqlite.prepare("select count(*) as count from kv").get()?.["count"]);
  } catch {
    // It was copied while it was written.
    return 0;
  } finally {
    sqlite.close();
  }
}

describe("the log", () => {
  it("is copied into the file on a thread, and begins anew", async () => {
    const { database, path, threads, logBytes } = await opened();
    await write(database, entry("first"));
    expect(threads).toHaveLength(0);
    await writeMany(database, 0, EVERY_ROWS);
    // Nowhere near the bound of whoever writes.
    expect(logBytes()).toBeLessThan(0.5 * PAGES_WITHOUT_HELP * PAGE);
    await expect.poll(() => entriesWithoutLog(path)).toBeGreaterThan(EVERY_ROWS / 2);
    let copies = 0;
    threads[0]?.on("message", () => copies++);
    // Half as much again as that bound, and no more at a time than the disk takes: two copies for each such number of rows.
    const large = "x".repeat(2 * PAGE);
    for (let round = 0; round < 6; round++) {
      for (let nth = 0; nth < EVERY_ROWS; nth++) await write(database, entry(`large ${round} ${nth}`, large));
      await expect.poll(() => copies).toBeGreaterThanOrEqual(2 * round);
    }
    expect(threads).toHaveLength(1);
    expect(logBytes()).toBeLessThan(1.1 * PAGES_WITHOUT_HELP * PAGE);
  });

  it("is copied by another thread where one was killed", async () => {
    const { database, path, threads } = await opened();
    await writeMany(database, 0, EVERY_ROWS);
    await expect.poll(() => entriesWithoutLog(path)).toBeGreaterThan(EVERY_ROWS / 2);
    await threads[0]?.terminate();
    await writeMany(database, EVERY_ROWS, 4 * EVERY_ROWS);
    await expect.poll(() => entriesWithoutLog(path)).toBeGreaterThan(1.5 * EVERY_ROWS);
    expect(threads.length).toBeGreaterThan(1);
  });

  it("stays within its bound where no thread helps", async () => {
    const { database, logBytes } = await opened(() => new Worker("process.exit()", { eval: true }));
    const large = "x".repeat(100 * PAGE);
    for (let nth = 0; nth < 250; nth++) await write(database, entry(`${nth}`, large));
    await writeMany(database, 1_000, 1_000 + EVERY_ROWS);
    expect(logBytes()).toBeLessThan((PAGES_WITHOUT_HELP + 200) * PAGE);
    const rows = await database.kysely.selectFrom("kv").select("key").execute();
    expect(rows).toHaveLength(250 + EVERY_ROWS);
  });

  it("is gone when the last one has closed the database, though a thread was copying it", async () => {
    const { database, path, threads } = await opened();
    await writeMany(database, 0, EVERY_ROWS);
    await database.close();
    expect(threads).toHaveLength(1);
    expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false]);
    expect(entriesWithoutLog(path)).toBe(EVERY_ROWS);
  });

  it("keeps no other process waiting while a thread copies it, and loses nothing of theirs", async () => {
    const { database, path, threads } = await opened();
    const script = `
      const { openDatabase } = await import(${JSON.stringify(new URL("../../../src/infrastructure/storage/database.ts", import.meta.url).href)});
      const database = await openDatabase(${JSON.stringify(path)});
      for (let nth = 0; nth < 300; nth++)
        await database.kysely.insertInto("kv").values({ namespace: "other", key: String(nth), value: "v", expires_at: null }).execute();
      await database.close();`;
    const other = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    const gone = once(other, "exit");
    await writeMany(database, 0, 2 * EVERY_ROWS);
    expect(await gone).toEqual([0, null]);
    expect(threads).toHaveLength(1);
    await database.close();
    expect(entriesWithoutLog(path)).toBe(300 + 2 * EVERY_ROWS);
  });
});
