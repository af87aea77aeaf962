import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { MIGRATIONS } from "../../../src/infrastructure/storage/migrations.ts";

/** What this process has open; the descriptor that lists them is gone by then. */
const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });

const mode = (path: string) => statSync(path).mode & 0o777;

describe("the database", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "reelay-"));
    path = join(folder, "data", "reelay.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is its owner's alone, with its side files", async () => {
    const database = await openDatabase(path);
    await database.kysely.selectFrom("kv").selectAll().execute();
    expect(mode(join(folder, "data"))).toBe(0o700);
    for (const end of ["", "-wal", "-shm"]) expect(mode(path + end)).toBe(0o600);
    await database.close();
  });

  it("keeps its promises about losing nothing", async () => {
    const database = await openDatabase(path);
    await database.kysely
      .insertInto("kv")
      .values({ namespace: "a", key: "b", value: "c", expires_at: null })
      .execute();
    await database.close();
    const again = await openDatabase(path);
    expect(await again.kysely.selectFrom("kv").select("value").execute()).toEqual([{ value: "c" }]);
    await again.close();
  });

  it("finds what an older version kept under names written in another form", async () => {
    mkdirSync(join(folder, "data"));
    const version = MIGRATIONS.findIndex((script) => script.includes("nfc("));
    const older = new DatabaseSync(path);
    for (const script of MIGRATIONS.slice(0, version)) older.exec(script);
    older.exec(`pragma user_version = ${version}`);
    const keep = older.prepare("insert into kv (namespace, key, value) values ('people', ?, ?)");
    for (const [key, value] of [
      ["http:acme Rene\u0301", "decomposed"],
      ["http:acme Zoe\u0308", "decomposed"],
      ["http:acme Zo\u00eb", "composed"],
      ["telegram:1", "other"],
    ] as const)
      keep.run(key, value);
    older
      .prepare("insert into audit (at, surface, act, username) values (1, 'http', 'allow', ?)")
      .run("Rene\u0301");
    older.close();
    const database = await openDatabase(path);
    const { kysely } = database;
    expect(await kysely.selectFrom("kv").select(["key", "value"]).orderBy("key").execute()).toEqual([
      { key: "http:acme Ren\u00e9", value: "decomposed" },
      { key: "http:acme Zo\u00eb", value: "composed" },
      { key: "telegram:1", value: "other" },
    ]);
    expect(await kysely.selectFrom("audit").select("username").execute()).toEqual([
      { username: "Ren\u00e9" },
    ]);
    await database.close();
  });

  it("knows what an older version told operators of, and erases that with what was reported", async () => {
    mkdirSync(join(folder, "data"));
    const version = MIGRATIONS.findIndex((script) => script.includes("create table report_notices"));
    const older = new DatabaseSync(path);
    older.function("nfc", (text) => text);
    for (const script of MIGRATIONS.slice(0, version)) older.exec(script);
    older.exec(`pragma user_version = ${version}`);
    older.exec(`insert into reported (job, state, at, news, told, ping, notice) values
      ('told', 'withheld', 1, 3, 2, 3, '{"message":7}'), ('silent', 'settled', 1, 0, 0, 0, null)`);
    older.close();
    const database = await openDatabase(path);
    const notices = () => database.kysely.selectFrom("report_notices").selectAll().execute();
    expect(await notices()).toEqual([
      {
        job: "told",
        audience: "operators",
        news: 3,
        told: 2,
        ping: 3,
        notice: '{"message":7}',
        place: null,
        next_at: 0,
        failures: 0,
      },
    ]);
    await database.kysely.deleteFrom("reported").where("job", "=", "told").execute();
    expect(await notices()).toEqual([]);
    await database.close();
  });

  it("knows what an older version learned of prices, but not of which service", async () => {
    mkdirSync(join(folder, "data"));
    const version = MIGRATIONS.findIndex((script) => script.includes("create table lessons"));
    const older = new DatabaseSync(path);
    older.function("nfc", (text) => text);
    for (const script of MIGRATIONS.slice(0, version)) older.exec(script);
    older.exec(`pragma user_version = ${version}`);
    older.exec("insert into experience values ('video', '8 s', 4.5, 100, 7, 3)");
    older.close();
    const database = await openDatabase(path);
    expect(await database.kysely.selectFrom("lessons").selectAll().execute()).toEqual([
      { service: "", operation: "video", size: "8 s", price: 4.5, mean_ms: 100, spread_ms: 7, count: 3 },
    ]);
    await database.close();
  });

  it.runIf(existsSync("/proc/self/fd"))(
    "keeps what it sorts out of the machine's temporary folder",
    async () => {
      const database = await openDatabase(path);
      const { kysely } = database;
      await sql`
      insert into kv (namespace, key, value)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 4000)
        select 'a', n, hex(randomblob(2000)) from numbers`.execute(kysely);
      // A statement asks for the time while it sorts 16 MB.
      const open = new Set<string>();
      vi.spyOn(Date, "now").mockImplementation(() => {
        for (const file of openFiles()) open.add(file);
        return 0;
      });
      await sql`select max(now_ms()) from (select value from kv order by value limit -1 offset 0)`.execute(
        kysely,
      );
      vi.restoreAllMocks();
      await database.close();
      expect(open).toContain(path);
      expect([...open].filter((file) => file.includes("etilqs"))).toEqual([]);
    },
  );

  it("closes though it was never asked anything", async () => {
    const database = await openDatabase(path);
    await database.close();
    await database.close();
    expect(() => statSync(`${path}-wal`)).toThrow("ENOENT");
  });

  it("refuses what is no database, and what a newer version made", async () => {
    const broken = join(folder, "broken.db");
    writeFileSync(broken, "x".repeat(4096));
    await expect(openDatabase(broken)).rejects.toThrow("not a database");
    await (await openDatabase(path)).close();
    const sqlite = new DatabaseSync(path);
    sqlite.exec("pragma user_version = 1000");
    sqlite.close();
    await expect(openDatabase(path)).rejects.toThrow("newer version");
  });

  it("says of what another process keeps locked that it cannot be kept now, and goes on afterwards", async () => {
    const database = await openDatabase(path);
    const entry = { namespace: "a", key: "b", value: "c", expires_at: null };
    const write = () => database.kysely.insertInto("kv").values(entry).execute();
    // As one that was stopped in the middle of a transaction.
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    await expect(write()).rejects.toMatchObject({ code: "storage_down", retryable: true });
    other.exec("rollback");
    await write();
    other.close();
    await database.close();
  });

  it("opens a second time while the first is in the middle of a transaction, and both go on", async () => {
    const [first, other] = await Promise.all([openDatabase(path), openDatabase(path)]);
    const entry = { namespace: "n", value: "v", expires_at: null };
    await using opened = new AsyncDisposableStack();
    opened.defer(() => first.close());
    opened.defer(() => other.close());
    await first.kysely.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("kv")
        .values({ ...entry, key: "first" })
        .execute();
      // Waiting here for the lock would be waiting for oneself.
      const second = await openDatabase(path);
      opened.defer(() => second.close());
      expect(await second.kysely.selectFrom("kv").selectAll().execute()).toEqual([]);
    });
    await other.kysely
      .insertInto("kv")
      .values({ ...entry, key: "other" })
      .execute();
    const rows = await first.kysely.selectFrom("kv").select("key").orderBy("key").execute();
    expect(rows.map(({ key }) => key)).toEqual(["first", "other"]);
  });

  it("keeps the locks of whoever has it open when another opens or closes it", async (context) => {
    if (process.platform !== "linux") context.skip("/proc/locks is Linux's");
    const database = await openDatabase(path);
    const ours = () => {
      const { ino } = statSync(path);
      const locks = readFileSync("/proc/locks", "utf8").split("\n");
      return locks.filter((lock) => lock.includes(` ${process.pid} `) && lock.includes(`:${ino} `)).length;
    };
    const held = ours();
    expect(held).toBeGreaterThan(0);
    const second = await openDatabase(path);
    expect(ours()).toBe(held);
    // Without them SQLite of other versions, in other processes, would take itself for the last one and remove the log.
    await second.close();
    expect(ours()).toBe(held);
    const [third] = await Promise.all([openDatabase(path), database.close()]);
    expect(ours()).toBe(held);
    await third.close();
    expect(ours()).toBe(0);
  });

  it("opens for a process whose file another one is making just then", async () => {
    mkdirSync(join(folder, "data"));
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    const opening = openDatabase(path);
    // Long enough for it to have tried.
    await Promise.race([opening, setImmediate()]);
    other.exec("commit");
    other.close();
    const database = await opening;
    expect(await database.fits()).toBe(true);
    await database.close();
  });

  it("gives up on a file that another process keeps for itself", async () => {
    mkdirSync(join(folder, "data"));
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    await expect(openDatabase(path, undefined, 40)).rejects.toThrow("locked");
    other.close();
  });

  it("is shared by processes that start together and count in one row", async () => {
    const script = join(folder, "count.ts");
    writeFileSync(
      script,
      `const { openDatabase } = await import(${JSON.stringify(new URL("../../../src/infrastructure/storage/database.ts", import.meta.url).href)});
       const database = await openDatabase(${JSON.stringify(path)});
       for (let i = 0; i < 50; i += 1)
         await database.kysely.transaction().execute(async (transaction) => {
           const row = await transaction.selectFrom("kv").select("value").executeTakeFirst();
           const entry = { namespace: "n", key: "k", value: String(Number(row?.value ?? 0) + 1), expires_at: null };
           await transaction.replaceInto("kv").values(entry).execute();
         });
       await database.close();`,
    );
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, [script], { stdio: "inherit" }));
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    const database = await openDatabase(path);
    expect(await database.kysely.selectFrom("kv").select("value").execute()).toEqual([{ value: "200" }]);
    await database.close();
  });
});
