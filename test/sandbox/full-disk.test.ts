import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openStore } from "../../src/sandbox/records/store.ts";
import { RESULT } from "../../src/sandbox/render/task.ts";
import { startSandbox } from "../../src/sandbox/sandbox.ts";
import { temporaryFolder, testFfmpeg, testPicture, testSandbox } from "../support/sandbox.ts";
import { caller, ended, read, submit } from "./call.ts";

/** A database that does not grow: for SQLite that is a full disk. Returns what lets it grow again. */
function fill(db: DatabaseSync): () => void {
  const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
  db.exec(`PRAGMA max_page_count = ${pages}`);
  return () => db.exec("PRAGMA max_page_count = 1000000");
}

const FULL = { errcode: 13, message: "database or disk is full" };

/** More than any page that is there has room for. */
const LARGE = "x".repeat(100_000);

describe("what is stored", () => {
  it("says that the disk is full, not that there is nothing to take back, and goes on afterwards", () => {
    const store = openStore(temporaryFolder(), "test");
    const write = () =>
      store.transaction(() => store.db.prepare("INSERT INTO meta VALUES (?, ?)").run("large", LARGE));
    const empty = fill(store.db);
    expect(write).toThrow(expect.objectContaining(FULL));
    expect(store.db.isTransaction).toBe(false);
    empty();
    expect(write()).toMatchObject({ changes: 1 });
    store.db.close();
  });

  it("is deleted though its log cannot be emptied yet, and leaves that later", () => {
    const store = openStore(temporaryFolder(), "test");
    store.db.prepare("INSERT INTO meta VALUES (?, ?)").run("small", "x");
    const real = store.db.exec.bind(store.db);
    let isFull = true;
    store.db.exec = (sql) => {
      if (isFull && sql.includes("checkpoint"))
        throw Object.assign(new Error("disk is full"), { errcode: 13 });
      real(sql);
    };
    const log = () => Number(store.db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get()?.["log"]);
    store.erasing(() => store.db.exec("DELETE FROM meta WHERE name = 'small'"));
    expect(() => store.catchUp()).toThrow(expect.objectContaining({ errcode: 13 }));
    expect(log()).toBeGreaterThan(0);
    isFull = false;
    store.catchUp();
    expect(log()).toBe(0);
    store.db.close();
  });
});

describe("a result that the disk does not take", () => {
  it.each([
    ["by the system's code", () => Object.assign(new Error("write"), { code: "ENOSPC", syscall: "write" })],
    [
      "by ffmpeg's words",
      () => new Error("Command failed\nav_interleaved_write_frame(): No space left on device"),
    ],
  ])("is made once it does, and the job does not fail of it: told %s", async (_, full) => {
    let tries = 0;
    const told: unknown[] = [];
    await using sandbox = await testSandbox({
      trouble: (error) => told.push(error),
      async render({ dir }) {
        tries += 1;
        if (tries <= 2) throw full();
        writeFileSync(join(dir, RESULT), "a film");
      },
    });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job = await submit(call);
    expect((await ended(call, job)).status).toBe("COMPLETED");
    expect(tries).toBe(3);
    expect(told).toHaveLength(1);
    expect((await call("GET", "/user/tokens")).body["total_tokens_used"]).toBe(2.7);
  });
});

it("a folder whose first start was cut short by a full disk has its whole history after the next", async () => {
  const dir = temporaryFolder();
  const store = openStore(dir, "test");
  // As the disk fills up in the middle of it.
  store.db.exec(`CREATE TRIGGER full BEFORE INSERT ON jobs WHEN (SELECT count(*) FROM jobs) >= 3
    BEGIN SELECT RAISE(ROLLBACK, 'full'); END`);
  store.db.close();
  await expect(startSandbox({ dir })).rejects.toThrow("full");
  const again = new DatabaseSync(join(dir, "sandbox.db"));
  again.exec("DROP TRIGGER full");
  again.close();
  await using sandbox = await testSandbox({ dir });
  const { body } = await caller(sandbox.url, sandbox.keys.standard)("GET", "/jobs");
  expect(body["pagination"]).toMatchObject({ total: 6 });
});

const MODULE = new URL("../../src/sandbox/sandbox.ts", import.meta.url).href;

/** A sandbox whose disk is filled, and gets room, as it is told to. */
const RUN = `
  const { startSandbox } = await import(${JSON.stringify(MODULE)});
  const { createInterface } = await import("node:readline");
  const fs = await import("node:fs");
  const options = JSON.parse(process.argv[1]);
  const filler = options.dir + ".filler";
  const say = (what) => process.stdout.write(JSON.stringify(what) + "\\n");
  const trouble = (error) => say({ trouble: error.message });
  const { url, control, keys } = await startSandbox({ ...options, trouble });
  say({ url, control, keys });
  for await (const line of createInterface(process.stdin)) {
    if (line === "fill") {
      const file = fs.openSync(filler, "a");
      for (const size of [65536, 4096, 1])
        try { for (;;) fs.writeSync(file, Buffer.alloc(size)); } catch {}
      fs.closeSync(file);
    } else fs.rmSync(filler, { force: true });
    say({ done: line });
  }
`;

const SMALL_DISK = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=6m none "$0" && exec "$@"'];

const started = z.object({ url: z.string(), control: z.string(), keys: z.object({ pro: z.string() }) });

/** An ffmpeg that does nothing before it may, as long as whoever started it is there. */
function heldFfmpeg() {
  const folder = temporaryFolder();
  const [path, mayBegin] = [join(folder, "ffmpeg"), join(folder, "may-begin")];
  const wait = `until [ -e '${mayBegin}' ] || ! kill -0 "$PPID"; do sleep 0.05; done`;
  const lines = ["#!/bin/sh", `${wait} 2> /dev/null`, `exec '${testFfmpeg()}' "$@"`];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o700 });
  return { path, letBegin: () => writeFileSync(mayBegin, "") };
}

async function onSmallDisk(disk: string, ffmpeg: string) {
  const options = { dir: join(disk, "sandbox"), ffmpeg, timeScale: 0.02 };
  const [command = "", ...before] = SMALL_DISK;
  const args = [
    ...before,
    disk,
    process.execPath,
    "--input-type=module",
    "--eval",
    RUN,
    JSON.stringify(options),
  ];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: unknown[] = [];
  const lines = createInterface(child.stdout).on("line", (line) => said.push(JSON.parse(line)));
  await once(lines, "line");
  return {
    child,
    said,
    ...started.parse(said[0]),
    tell: async (what: "fill" | "free") => {
      child.stdin.write(`${what}\n`);
      await expect.poll(() => said).toContainEqual({ done: what });
    },
  };
}

const canMount = () => {
  const [command = "", ...before] = SMALL_DISK;
  return spawnSync(command, [...before, temporaryFolder(), "true"]).status === 0;
};

describe("a sandbox on a disk that is full", () => {
  it("answers with a 5xx, lives, and makes all that it accepted once there is room, charged once", async (context) => {
    if (!canMount()) context.skip("a disk of a process's own is Linux's, and root's");
    const ffmpeg = heldFfmpeg();
    const { child, said, tell, url, control, keys } = await onSmallDisk(temporaryFolder(), ffmpeg.path);
    const call = caller(url, keys.pro);
    const accepted = [await submit(call), await submit(call), await submit(call)];
    await tell("fill");
    const fields = { image_base64: await testPicture(), prompt: "slow zoom" };
    expect(await call("POST", "/generate/video", fields)).toMatchObject({
      status: 500,
      body: { code: 500, error: "Internal server error: nothing can be stored at the moment." },
    });
    ffmpeg.letBegin();
    await expect.poll(() => said).toContainEqual({ trouble: "database or disk is full" });
    expect((await read(call, accepted[0] ?? "")).status).toMatch(/^(SUBMITTED|IN_PROGRESS)$/);
    expect(child.exitCode).toBeNull();

    await tell("free");
    const ends = await Promise.all(accepted.map((id) => ended(call, id, 100)));
    expect(ends.map(({ status }) => status)).toEqual(accepted.map(() => "COMPLETED"));
    const { submissions } = z
      .object({ submissions: z.array(z.object({ job_id: z.string() })) })
      .parse(await (await fetch(`${control}/ledger`)).json());
    expect(submissions.map(({ job_id: id }) => id)).toEqual(accepted);
    const { body } = await call("GET", "/user/tokens");
    expect(body["total_tokens_used"]).toBeCloseTo(2.7 * accepted.length);
  });
});
