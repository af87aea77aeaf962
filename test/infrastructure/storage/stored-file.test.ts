import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import {
  damageOf,
  asKeptError,
  asStorageError,
  isFull,
  StoredFile,
} from "../../../src/infrastructure/storage/stored-file.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const isDown = { code: "storage_down" };

async function harness() {
  const path = join(temporaryFolder(), "reelay.db");
  const database = await openDatabase(path);
  const keep = (key: string) =>
    database.kysely.insertInto("kv").values({ namespace: "a", key, value: "v", expires_at: null }).execute();
  await keep("before");
  return { path, database, keep, [Symbol.asyncDispose]: () => database.close() };
}

/** How many files this process has open. */
const descriptors = () => readdirSync("/proc/self/fd").length;

describe("an open database", () => {
  it("keeps what it is given, and says so", async () => {
    await using at = await harness();
    await at.keep("more");
    await expect(at.database.check()).resolves.toBeUndefined();
  });

  const harms: Record<string, (path: string) => void> = {
    deleted: (path) => rmSync(path),
    "deleted with its side files": (path) => ["", "-wal", "-shm"].forEach((end) => rmSync(path + end)),
    "moved away": (path) => renameSync(path, `${path}.old`),
    "replaced by a copy": (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
    "without its log": (path) => rmSync(`${path}-wal`),
  };

  it.each(Object.keys(harms))("that is %s takes nothing more", async (harm) => {
    await using at = await harness();
    harms[harm]?.(at.path);
    await expect(at.keep("after")).rejects.toMatchObject(isDown);
    const { kysely } = at.database;
    const change = kysely.transaction().execute((db) => db.deleteFrom("kv").execute());
    await expect(change).rejects.toMatchObject(isDown);
    await expect(at.database.check()).rejects.toMatchObject(isDown);
    // What is read is there as long as it is open.
    expect(await kysely.selectFrom("kv").select("key").execute()).toEqual([{ key: "before" }]);
  });

  it.each([
    ["overwritten", (path: string) => writeFileSync(path, Buffer.alloc(200_000, 7))],
    ["cut off", (path: string) => truncateSync(path, 20_000)],
    ["emptied", (path: string) => truncateSync(path, 0)],
  ])("that was %s is not said to be ready", async (_harm, harm) => {
    await using at = await harness();
    // What is in the log goes into the file.
    const other = new DatabaseSync(at.path);
    other.exec("pragma wal_checkpoint(truncate)");
    other.close();
    harm(at.path);
    await expect(at.database.check()).rejects.toMatchObject(isDown);
  });

  it("is not said to be cut off while a full disk keeps its log from being copied, of which it has the head", async () => {
    await using at = await harness();
    const other = new DatabaseSync(at.path);
    other.exec("create table larger (bytes blob)");
    other.exec("insert into larger values (zeroblob(200000))");
    // As where the disk was full after the first page: its head tells of pages that are in the log alone.
    const pages = Number(other.prepare("pragma page_count").get()?.["page_count"]);
    const descriptor = openSync(at.path, "r+");
    const told = Buffer.alloc(4);
    told.writeUInt32BE(pages);
    writeSync(descriptor, told, 0, told.length, 28);
    expect(fstatSync(descriptor).size).toBeLessThan(pages * 4096);
    await at.database.check();
    expect(fstatSync(descriptor).size).toBe(pages * 4096);
    other.close();
    closeSync(descriptor);
  });

  it("is not ready from the moment when a statement runs into damage, until the whole file was read without any", async () => {
    const path = join(temporaryFolder(), "reelay.db");
    const fill = new DatabaseSync(path);
    fill.exec("create table notes (text text not null) strict");
    for (let row = 0; row < 100; row++) fill.exec(`insert into notes values ('${"x".repeat(500)}')`);
    fill.exec("pragma journal_mode = wal");
    copyFileSync(path, `${path}.whole`);
    const open = new DatabaseSync(path);
    open.exec("select * from sqlite_schema; insert into notes values ('a'); pragma wal_checkpoint(truncate)");
    let now = 0;
    const file = new StoredFile(path, () => now);
    const overwrite = (bytes: Buffer) => {
      const descriptor = openSync(path, "r+");
      for (let at = 8192; at < bytes.length; at += 4096) writeSync(descriptor, bytes, at, 16, at);
      closeSync(descriptor);
    };
    const whole = readFileSync(path);
    overwrite(Buffer.alloc(whole.length, "X"));
    const other = new DatabaseSync(path);
    try {
      other.prepare("select * from notes").all();
    } catch (error) {
      file.note(error);
    }
    expect(file.damage()).toMatchObject(isDown);
    now += 3_600_000;
    expect(file.damage()).toMatchObject(isDown);
    overwrite(whole);
    expect(file.damage()).toMatchObject(isDown);
    now += 3_600_000;
    expect(file.damage()).toBeUndefined();
    for (const one of [fill, open, other, file]) one.close();
  });

  it("that is damaged where it is not tried out is not ready once anything ran into that", async () => {
    await using at = await harness();
    const other = new DatabaseSync(at.path);
    for (let row = 0; row < 300; row++) await at.keep(`row-${row}-${"x".repeat(300)}`);
    other.exec("pragma wal_checkpoint(truncate)");
    const root = other.prepare("select rootpage from sqlite_schema where name = 'jobs'").get()?.["rootpage"];
    other.close();
    const descriptor = openSync(at.path, "r+");
    writeSync(descriptor, Buffer.alloc(16, "X"), 0, 16, (Number(root) - 1) * 4096);
    closeSync(descriptor);
    await expect(at.database.check()).resolves.toBeUndefined();
    await expect(at.database.kysely.selectFrom("jobs").selectAll().execute()).rejects.toMatchObject(isDown);
    await expect(at.database.check()).rejects.toMatchObject(isDown);
  });

  it("leaves no descriptor behind", async (context) => {
    if (process.platform !== "linux") context.skip("/proc is Linux's");
    const before = descriptors();
    for (const _ of [1, 2]) {
      await using at = await harness();
      await using other = { ...(await openDatabase(at.path)), [Symbol.asyncDispose]: () => other.close() };
      await other.check();
    }
    expect(descriptors()).toBe(before);
  });

  it("is tried out once a second, however often it is asked", async () => {
    await using at = await harness();
    const checks = Array.from({ length: 50 }, () => at.database.check());
    expect(new Set(checks).size).toBe(1);
    await Promise.all(checks);
  });
});

const thrown = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return asStorageError(error);
  }
  throw new Error("Nothing was thrown.");
};

describe("what SQLite says", () => {
  it("of a full disk, a read-only file and damage is that nothing can be kept; of a mistake it is the mistake", () => {
    const path = join(temporaryFolder(), "small.db");
    const sqlite = new DatabaseSync(path);
    sqlite.exec("create table notes (text text not null) strict; pragma max_page_count = 3");
    const fill = () => {
      for (let row = 0; row < 1000; row++) sqlite.exec(`insert into notes values ('${"x".repeat(500)}')`);
    };
    expect(thrown(fill)).toMatchObject({ ...isDown, params: { reason: "the disk is full" } });
    expect(thrown(() => sqlite.exec("insert into notes values (null)"))).not.toMatchObject(isDown);
    sqlite.close();
    const readOnly = new DatabaseSync(path, { readOnly: true });
    expect(thrown(() => readOnly.exec("delete from notes"))).toMatchObject(isDown);
    readOnly.close();
    writeFileSync(path, Buffer.alloc(8192, 7));
    const damaged = new DatabaseSync(path);
    expect(thrown(() => damaged.exec("select * from notes"))).toMatchObject(isDown);
    damaged.close();
  });

  it("of a file whose head was overwritten behind its first words is that it is damaged", async () => {
    const at = await harness();
    await at.database.close();
    const file = openSync(at.path, "r+");
    writeSync(file, Buffer.alloc(60, 0x5a), 0, 60, 40);
    closeSync(file);
    const damaged = new DatabaseSync(at.path);
    expect(thrown(() => damaged.exec("select * from jobs"))).toMatchObject({
      ...isDown,
      params: { reason: "it is damaged" },
    });
    damaged.close();
  });

  it("of a whole file is nothing, of a damaged one what is wrong", async () => {
    const at = await harness();
    await at.database.close();
    expect(damageOf(at.path)).toEqual([]);
    expect(damageOf(join(temporaryFolder(), "none.db"))).toEqual([]);
    const bytes = Buffer.alloc(4096, 7);
    const sqlite = new DatabaseSync(at.path);
    const rows = sqlite.prepare("select rootpage from sqlite_schema where name = 'jobs_request'").all();
    sqlite.close();
    const page = Number(rows[0]?.["rootpage"]);
    const file = openSync(at.path, "r+");
    writeSync(file, bytes, 0, bytes.length, (page - 1) * 4096);
    closeSync(file);
    expect(damageOf(at.path).length).toBeGreaterThan(0);
  });
});

const failed = (known: object) => Object.assign(new Error("failed"), known);

describe("what is kept", () => {
  it("is on a full disk where what SQLite shares beside the database cannot grow", () => {
    expect(isFull(failed({ errcode: 4874 }))).toBe(true);
    // What could not be read is another matter.
    expect(isFull(failed({ errcode: 266 }))).toBe(false);
    expect(asKeptError(failed({ errcode: 266 }), "/data")).toMatchObject(isDown);
  });

  it.each([
    ["EACCES", "/data/scratch/a", true],
    ["EPERM", "/data/reelay.db", true],
    ["EACCES", "/elsewhere/.env", false],
    ["ENOENT", "/data/a", false],
  ])("is down where the data folder has something of another user's: %s %s", (code, path, isOurs) => {
    const error = failed({ code, path, syscall: "open" });
    const told = asKeptError(error, "/data");
    expect(told === error).toBe(!isOurs);
    expect(told).toMatchObject(isOurs ? isDown : { code });
  });
});
