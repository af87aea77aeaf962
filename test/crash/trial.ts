import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import { z } from "zod";
import type { SandboxOptions } from "../../src/sandbox/sandbox.ts";
import { OWN_KEY } from "../../src/seam/access/key-pool.ts";
import { TIME_SCALE } from "../support/core.ts";
import { Child, type Home, type KillPoint } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { prepareKeys } from "../support/pool.ts";
import { type FaultRequest, temporaryFolder, testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { type Asked, isAbout, jobsIn, mischarged, miscounted, mistold, type Told } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** A kill from outside, some time after the child was started or was asked, in milliseconds. */
interface RandomKill {
  readonly after: "start" | "asking";
  readonly ms: number;
}

/** One run of the program that ends by SIGKILL. */
export interface Life {
  readonly kill: KillPoint | RandomKill;
  /** How many videos are asked for, all at once. */
  readonly asks: number;
  /** What the service does wrong meanwhile. */
  readonly faults?: readonly FaultRequest[];
}

/** What is special about a trial. */
interface Special extends Partial<SandboxOptions> {
  /** Asks with the same words each time: only the photos differ. */
  readonly sameWords?: boolean;
  /** How each job is to end: with a result, unless given. */
  readonly outcome?: "result" | "problem";
  /** Whether the operator has another key, which jobs go to once the service refuses the first. */
  readonly otherKey?: boolean;
  /** Settings of the program. */
  readonly settings?: Home["env"];
}

/** What all trials of this process came to: children killed, jobs that they had accepted. */
export const usage = { killed: 0, accepted: 0 };

/**
 * Runs the program once for each life, on the same data, and then once more to the end.
 * @returns what was broken of the promise, a sentence each: every accepted job is delivered, once, with the video
 *   of its own photo, and charged once; one whose answer a kill swallowed may have been accepted, but not twice
 */
export async function trial(lives: readonly Life[], special: Special = {}): Promise<string[]> {
  const { sameWords = false, outcome = "result", otherKey = false, settings, ...options } = special;
  await using sandbox = await testSandbox({ render: tellingRenderer, ...options });
  const home = homeAt(sandbox, settings);
  if (otherKey)
    await prepareKeys({ ...home.env, REELAY_DATA: home.data }, async (desk) => {
      await desk.set(OWN_KEY, { weight: 100 });
      await desk.add("other", sandbox.keys.pro, {});
    });
  const asked: Asked[] = [];
  for (const life of lives) {
    await live(home, sandbox, life, () => {
      const nth = asked.length;
      const prompt = sameWords ? "slow zoom" : `slow zoom ${nth}`;
      const one = { prompt, photo: nth % PHOTOS.length, accepted: false };
      asked.push(one);
      return one;
    });
  }
  usage.accepted += asked.filter(({ accepted }) => accepted).length;
  using last = new Child(home);
  const told = await untilSettled(last, asked);
  return [
    ...(await mistold(last, asked, told, outcome)),
    ...(await mischarged(sandbox, asked, told)),
    ...(await miscounted(home, sandbox)),
  ];
}

/** An installation of its own, over a sandbox. */
export function homeAt(sandbox: TestSandbox, settings: Home["env"] = {}): Home {
  return {
    data: temporaryFolder(),
    env: {
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.keys.ultra,
      REELAY_KEY_MONTHLY_BUDGET: "1000000",
      REELAY_RATE_WINDOW_MS: String(60_000 * TIME_SCALE),
      REELAY_POLL_MS: String(5_000 * TIME_SCALE),
      ...settings,
    },
  };
}

/** A partner's token, made on the command line as an operator does. */
export async function tokenOf(home: Home, ...flags: readonly string[]): Promise<string> {
  using child = new Child(home, ["partner", "add", "Acme", ...flags]);
  expect(await child.ended()).toBe(0);
  return z.object({ token: z.string() }).parse(JSON.parse(child.output)).token;
}

async function live(home: Home, sandbox: TestSandbox, life: Life, next: () => Asked): Promise<void> {
  const { kill, asks, faults = [] } = life;
  for (const fault of faults) await sandbox.fault(fault);
  using child = new Child(home, ["start"], "point" in kill ? kill : undefined);
  const ask = async (one: Asked) => {
    const photo = PHOTOS[one.photo] ?? new Uint8Array();
    one.accepted = await child.ask({ prompt: one.prompt, photo, duration: 6 });
  };
  if ("ms" in kill && kill.after === "asking") await child.url;
  const asking = Array.from({ length: asks }, () => ask(next()));
  if ("ms" in kill) {
    await sleep(kill.ms);
    child.kill();
  }
  await Promise.all([...asking, child.untilKilled()]);
  await sandbox.clearFaults();
  usage.killed += 1;
}

/** Waits until each accepted job has come to an end, and every other one that the program took on. */
export async function untilSettled(child: Child, asked: readonly Asked[]): Promise<readonly Told[]> {
  return vi.waitFor(
    async () => {
      const told = jobsIn(await child.conversation());
      const open = [
        ...told.filter(({ kind }) => kind === "progress"),
        ...asked.filter((one) => one.accepted && !told.some(({ job }) => isAbout(job.values, one))),
      ];
      if (open.length > 0) throw new Error(`Still open: ${JSON.stringify(open)}\n${child.output}`);
      return told;
    },
    { timeout: PATIENCE_MS, interval: 150 },
  );
}
