import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { copyDatabase } from "../../../src/infrastructure/storage/copying/copy.ts";
import { asKeptError } from "../../../src/infrastructure/storage/stored-file.ts";
import { holdersOf } from "../../support/holders.ts";
import { lockDatabase } from "../../support/locked-database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

function aDatabase() {
  const dir = temporaryFolder();
  const path = join(dir, "kept.db");
  const sqlite = new DatabaseSync(path);
  sqlite.exec("create table notes (text text not null) strict");
  for (let row = 0; row < 200; row++) sqlite.exec(`insert into notes values ('${"x".repeat(500)}')`);
  sqlite.close();
  return { path, to: join(dir, "copy.db") };
}

const CHILD = fileURLToPath(new URL("copy-child.ts", import.meta.url));

/** What copying a database fails of under a program that starts it. */
async function failureAmong(start: readonly string[], path: string, to: string): Promise<unknown> {
  const [program, ...args] = [...start, process.execPath, CHILD, path, to];
  // Nothing compiled is kept of it.
  const env = { PATH: process.env["PATH"], NODE_DISABLE_COMPILE_CACHE: "1" };
  const { stdout } = await promisify(execFile)(program, args, { env });
  return JSON.parse(stdout);
}

/** Whether what starts a program does so here. */
const canRun = ([program = "", ...args]: readonly string[]) =>
  spawnSync(program, [...args, "true"], { stdio: "ignore" }).status === 0;

/** What copying a database fails of. */
const failureOf = (path: string, to: string): Promise<unknown> =>
  copyDatabase(path, to).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a copy of a database", () => {
  it("is all of it, for its owner alone", async () => {
    const { path, to } = aDatabase();
    await copyDatabase(path, to);
    const copy = new DatabaseSync(to, { readOnly: true });
    expect(copy.prepare("select count(*) as count from notes").get()).toEqual({ count: 200 });
    copy.close();
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  it("keeps nobody here waiting while SQLite is at work", async () => {
    const { path, to } = aDatabase();
    const lock = lockDatabase(path);
    const copying = copyDatabase(path, to);
    // Nobody else lets go of it.
    await setImmediate();
    lock.release();
    await copying;
    expect(statSync(to).size).toBeGreaterThan(100_000);
  });

  it("ends with its signal while SQLite is at work, and throws its reason once nobody is at work", async (context) => {
    if (!existsSync("/proc/self/fd")) context.skip("who has a file open is told by Linux alone");
    const { path, to } = aDatabase();
    const lock = lockDatabase(path);
    const stop = new AbortController();
    const copying = copyDatabase(path, to, stop.signal);
    await expect.poll(() => holdersOf(path)).toHaveLength(1);
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(copying).rejects.toBe(reason);
    expect(holdersOf(path)).toEqual([]);
    lock.release();
    const before = new AbortController();
    before.abort(reason);
    await expect(copyDatabase(path, `${to}.other`, before.signal)).rejects.toBe(reason);
    expect(existsSync(`${to}.other`)).toBe(false);
  });
});

describe("what a copy of a database fails of", () => {
  it("is its damage beyond its first page, not the disk that it is copied to", async () => {
    const { path, to } = aDatabase();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, 8192, 60_000));
    expect(await failureOf(path, to)).toMatchObject({
      code: "storage_down",
      params: { reason: "it is damaged" },
      cause: { errcode: 11 },
    });
  });

  it("is that it is no database", async () => {
    const { path, to } = aDatabase();
    writeFileSync(path, "a text. ".repeat(1_000));
    expect(await failureOf(path, to)).toMatchObject({
      code: "storage_down",
      params: { reason: "it is no database any more" },
    });
  });

  it("is that its format is none", async () => {
    const { path, to } = aDatabase();
    const bytes = readFileSync(path);
    bytes[47] = 9;
    writeFileSync(path, bytes);
    expect(await failureOf(path, to)).toMatchObject({
      code: "storage_down",
      params: { reason: "it is damaged" },
    });
  });

  it("is what SQLite says where there is none", async () => {
    const { path, to } = aDatabase();
    const error = await failureOf(`${path}.gone`, to);
    expect(error).toMatchObject({
      message: "unable to open database file",
      code: "ERR_SQLITE_ERROR",
      errcode: 14,
    });
    expect(asKeptError(error, dirname(path))).toMatchObject({
      code: "storage_down",
      params: { reason: "it cannot be opened" },
    });
  });

  it("is what SQLite says where it may not be read", async (context) => {
    const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    if (process.getuid?.() === 0 && !canRun(asNobody)) context.skip("root may read every file");
    const { path, to } = aDatabase();
    const dir = dirname(path);
    chmodSync(path, 0o000);
    chmodSync(dir, 0o777);
    // What is around it lets nobody else in.
    chmodSync(dirname(dir), 0o711);
    const said = await failureAmong(process.getuid?.() === 0 ? asNobody : [], path, to);
    expect(said).toEqual({ code: "ERR_SQLITE_ERROR", errcode: 14, reason: "it cannot be opened" });
  });

  it("is what the system says of where it goes", async () => {
    const { path, to } = aDatabase();
    const nowhere = join(`${to}.folder`, "copy.db");
    expect(await failureOf(path, nowhere)).toMatchObject({ code: "ENOENT", syscall: "open", path: nowhere });
    writeFileSync(to, "mine");
    expect(await failureOf(path, to)).toMatchObject({ code: "EEXIST", syscall: "open", path: to });
    expect(readFileSync(to, "utf8")).toBe("mine");
  });

  it("is what SQLite says of a disk that is full", async (context) => {
    const { path } = aDatabase();
    const disk = temporaryFolder();
    const withSmallDisk = [
      "unshare",
      "--mount",
      "sh",
      "-c",
      'mount -t tmpfs -o size=64k none "$0" && "$@"',
      disk,
    ];
    if (!canRun(withSmallDisk)) context.skip("a disk of a process's own is Linux's, and root's");
    const said = await failureAmong(withSmallDisk, path, join(disk, "copy.db"));
    expect(said).toEqual({ code: "ERR_SQLITE_ERROR", errcode: 13, reason: "the disk is full" });
  });

  it("is what SQLite says of a file that may not grow", async () => {
    const { path, to } = aDatabase();
    const said = await failureAmong(["sh", "-c", 'ulimit -f 100 && "$0" "$@"'], path, to);
    expect(said).toEqual({ code: "ERR_SQLITE_ERROR", errcode: 778, reason: "the disk fails" });
  });
});
