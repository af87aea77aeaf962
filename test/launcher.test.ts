import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "./support/eventually.ts";
import { temporaryFolder } from "./support/sandbox.ts";

const ROOT = join(import.meta.dirname, "..");
/** Has this Node take itself for one that is too old. */
const OLD = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})`;
const hasOther = existsSync(join(ROOT, `node_modules/node-linux-${process.arch}/bin/node`));

function launch(...args: readonly string[]) {
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: temporaryFolder(), REELAY_PORT: "0" };
  const launcher = spawn(process.execPath, ["--import", OLD, join(ROOT, "tools/reelay.js"), ...args], {
    cwd: env.REELAY_DATA,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void launcher.kill());
  return launcher;
}

async function startedAt(launcher: ReturnType<typeof launch>): Promise<string> {
  for await (const line of createInterface(launcher.stdout))
    if (line.includes('"started"')) return (JSON.parse(line) as { url: string }).url;
  throw new Error("It said nothing of a start.");
}

describe.runIf(hasOther)("under a Node that is too old", () => {
  it("a command ends as it does under a newer one", async () => {
    expect(await once(launch("--version"), "exit")).toEqual([0, null]);
    expect(await once(launch("no-such-command"), "exit")).toEqual([2, null]);
  });

  it("a server ends in order with what started it, also where that is killed", async () => {
    const stopped = launch("start", "--json");
    await startedAt(stopped);
    stopped.kill("SIGTERM");
    expect(await once(stopped, "exit")).toEqual([0, null]);

    const killed = launch("start", "--json");
    const url = await startedAt(killed);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    killed.kill("SIGKILL");
    await eventually(async () => expect(await fetch(`${url}/healthz`).catch(() => "gone")).toBe("gone"));
  });
});
