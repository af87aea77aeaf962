import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { temporaryFolder, testFfmpeg, testSandbox } from "../support/sandbox.ts";
import { caller, ended, read, submit } from "./call.ts";

const MODULE = new URL("../../src/sandbox/sandbox.ts", import.meta.url).href;
const RUN = `
  const { startSandbox } = await import(${JSON.stringify(MODULE)});
  const { url, control, keys } = await startSandbox(JSON.parse(process.argv[1]));
  process.stdout.write(JSON.stringify({ url, control, keys }) + "\\n");
`;
const started = z.object({ url: z.string(), control: z.string(), keys: z.object({ pro: z.string() }) });

/** An ffmpeg that does its work, but does not end before it may, as long as whoever started it is there. */
function heldFfmpeg() {
  const folder = temporaryFolder();
  const [path, mayEnd] = [join(folder, "ffmpeg"), join(folder, "may-end")];
  const wait = `until [ -e '${mayEnd}' ] || ! kill -0 "$PPID"; do sleep 0.05; done`;
  const lines = ["#!/bin/sh", `'${testFfmpeg()}' "$@" || exit`, `${wait} 2> /dev/null`];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o700 });
  return { path, letEnd: () => writeFileSync(mayEnd, "") };
}

/** A sandbox in a process of its own, with real rendering. */
async function spawnSandbox(dir: string, ffmpeg: string) {
  const options = { dir, ffmpeg, timeScale: 0.01 };
  const child: ChildProcess = spawn(
    process.execPath,
    ["--input-type=module", "--eval", RUN, JSON.stringify(options)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  // One that a failed test leaves would keep the whole run from ending.
  onTestFinished(() => void child.kill("SIGKILL"));
  if (!child.stdout) throw new Error("no output");
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, ...started.parse(JSON.parse(String(line))) };
}

describe("restarts", () => {
  it("keep keys, tokens and jobs, whatever seed is given later; another folder has other keys", async () => {
    const dir = temporaryFolder();
    const first = await testSandbox({ dir, seed: "one" });
    const call = caller(first.url, first.keys.pro);
    const done = await submit(call);
    await ended(call, done);
    const running = await submit(call);
    await first.stop();

    await using second = await testSandbox({ dir, seed: "two" });
    expect(second.keys).toEqual(first.keys);
    const again = caller(second.url, second.keys.pro);
    expect((await read(again, done)).status).toBe("COMPLETED");
    expect((await ended(again, running)).status).toBe("COMPLETED");
    expect((await again("GET", "/user/tokens")).body["total_tokens_used"]).toBe(5.4);
    expect((await again("GET", "/jobs")).body["pagination"]).toMatchObject({ total: 8 });

    await using other = await testSandbox({ seed: "two" });
    expect(other.keys.pro).not.toBe(first.keys.pro);
    expect(new Set(Object.values(other.keys)).size).toBe(5);
  });

  it("understand the folder of an older version: its jobs keep their costs", async () => {
    const dir = temporaryFolder();
    const old = await testSandbox({ dir });
    const job = await submit(caller(old.url, old.keys.pro));
    await old.stop();
    const db = new DatabaseSync(join(dir, "sandbox.db"));
    for (const column of ["operation", "reserved", "final_cost", "host"])
      db.exec(`ALTER TABLE jobs DROP COLUMN ${column}`);
    db.exec("PRAGMA user_version = 0");
    db.close();

    await using sandbox = await testSandbox({ dir });
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect(await ended(call, job)).toMatchObject({ status: "COMPLETED", token_cost: 2.7 });
    expect((await call("GET", "/user/tokens")).body["total_tokens_used"]).toBe(2.7);
    expect((await ended(call, await submit(call))).status).toBe("COMPLETED");
  });

  it("leave the folder free when the port was taken", async () => {
    await using neighbour = await testSandbox();
    const dir = temporaryFolder();
    const port = Number(new URL(neighbour.url).port);
    await expect(testSandbox({ dir, port })).rejects.toThrow("EADDRINUSE");
    await using sandbox = await testSandbox({ dir });
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect((await ended(call, await submit(call))).status).toBe("COMPLETED");
  });

  it("render again what was rendering when the process was killed, and charge it once", async () => {
    const dir = temporaryFolder();
    // What renders is found rendering, however long it takes to look.
    const ffmpeg = heldFfmpeg();
    const first = await spawnSandbox(dir, ffmpeg.path);
    const call = caller(first.url, first.keys.pro);
    const job = await submit(call, { duration: 4 });
    const folder = join(dir, "files", job);
    const files = () => readdirSync(folder, { recursive: true }).map(String);
    await expect.poll(files, { interval: 10 }).toContainEqual(expect.stringMatching(/^render-.+result/));
    expect(first.child.kill("SIGKILL")).toBe(true);
    await once(first.child, "exit");

    const second = await spawnSandbox(dir, ffmpeg.path);
    const again = caller(second.url, second.keys.pro);
    expect((await read(again, job)).status).toBe("IN_PROGRESS");
    ffmpeg.letEnd();
    const record = await ended(again, job, 100);
    expect(record.status).toBe("COMPLETED");
    expect((await fetch(record.video_url)).status).toBe(200);
    expect((await again("GET", "/user/tokens")).body["total_tokens_used"]).toBe(1.8);
    const ledger = await (await fetch(`${second.control}/ledger`)).json();
    expect(ledger).toMatchObject({ submissions: [{ job_id: job }] });
    second.child.kill("SIGKILL");
    await once(second.child, "exit");
  });
});
