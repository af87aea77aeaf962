import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { eventually } from "./support/eventually.ts";
import { PATIENCE_MS } from "./support/patience.ts";
import { temporaryFolder } from "./support/sandbox.ts";

const PROGRAM = join(import.meta.dirname, "../tools/reelay.js");
const hasNpm = spawnSync("npm", ["--version"]).status === 0;
if (!hasNpm)
  process.stderr.write("There is no npm here: what becomes of a server that it started is not tried out.\n");

/** Where it listens, once it does. */
const STARTED = /"event":"(?:started|sandbox)","url":"([^"]+)"/;

/** Has npm run a script, in a session of its own so that all of it can be ended. */
async function npmRuns(script: string) {
  const folder = temporaryFolder();
  await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { it: script } }));
  const env = { PATH: process.env["PATH"], HOME: folder, LANG: "en", REELAY_DATA: folder, REELAY_PORT: "0" };
  const npm = spawn("npm", ["run", "it"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(npm, "exit");
  const { pid = 0 } = npm;
  onTestFinished(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // Nothing of it is left.
    }
  });
  for await (const line of createInterface(npm.stdout)) {
    const [, url] = STARTED.exec(line) ?? [];
    if (url !== undefined) return { npm: pid, url, ended };
  }
  throw new Error("It said nothing of a start.");
}

const reaches = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe.runIf(hasNpm)("what npm started", { timeout: 3 * PATIENCE_MS }, () => {
  it.each(["npm", "everything, as a manager of services does,"])(
    "by `npm start` has ended in order when npm has ended, where %s is sent SIGTERM",
    async (who) => {
      const command = packageFile.scripts.start.split(" && ").at(-1) ?? "";
      const { npm, url, ended } = await npmRuns(`true && ${command.replace("tools/reelay.js", PROGRAM)}`);
      expect(await reaches(url)).toBe(true);
      process.kill(who === "npm" ? npm : -npm, "SIGTERM");
      expect(await ended).toEqual([0, null]);
      expect(await reaches(url)).toBe(false);
    },
  );

  it.each([
    ["start --json", "SIGTERM"],
    ["start --json", "SIGKILL"],
    ["sandbox --port 0", "SIGTERM"],
  ] as const)("by a shell (reelay %s) ends when npm is sent %s", async (args, signal) => {
    const { npm, url } = await npmRuns(`true && node ${PROGRAM} ${args}`);
    expect(await reaches(url)).toBe(true);
    process.kill(npm, signal);
    await eventually(async () => expect(await reaches(url)).toBe(false));
  });

  it("stays where a script put it in the background", async () => {
    const stays = await npmRuns(`node ${PROGRAM} start --json &`);
    await stays.ended;
    // As long as it takes one that does not stay.
    const goes = await npmRuns(`true && node ${PROGRAM} start --json`);
    process.kill(goes.npm, "SIGKILL");
    await eventually(async () => expect(await reaches(goes.url)).toBe(false));
    expect(await reaches(stays.url)).toBe(true);
  });
});
