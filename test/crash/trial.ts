import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import type { Message } from "../../adapters/web/wire.ts";
import { isMediaRef, type Values } from "../../src/chat/values.ts";
import type { SandboxOptions } from "../../src/sandbox/sandbox.ts";
import { TIME_SCALE } from "../support/core.ts";
import { Child, type Home, type KillPoint, PATIENCE_MS } from "../support/crash-child.ts";
import { madeOf, photoOf, PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { type FaultRequest, temporaryFolder, testSandbox, type TestSandbox } from "../support/sandbox.ts";

/** A kill from outside, some time after the child was started or was asked, in milliseconds. */
export interface RandomKill {
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
export interface Special extends Partial<SandboxOptions> {
  /** Asks with the same words each time: only the photos differ. */
  readonly sameWords?: boolean;
  /** How each job is to end: with a result, unless given. */
  readonly outcome?: "result" | "problem";
}

/** One video that was asked for. */
interface Asked {
  readonly prompt: string;
  /** Its place in {@link PHOTOS}. */
  readonly photo: number;
  /** Whether the program said that it took it. If not, a kill swallowed the answer, and it may have. */
  accepted: boolean;
}

let killed = 0;

/** How many children were killed in trials so far. */
export const kills = () => killed;

/**
 * Runs the program once for each life, on the same data, and then once more to the end.
 * @returns what was broken of the promise, a sentence each: every accepted job is delivered, once, with the video
 *   of its own photo, and charged once; one whose answer a kill swallowed may have been accepted, but not twice
 */
export async function trial(lives: readonly Life[], special: Special = {}): Promise<string[]> {
  const { sameWords = false, outcome = "result", ...options } = special;
  await using sandbox = await testSandbox({ render: tellingRenderer, ...options });
  const home = homeAt(sandbox);
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
  using last = new Child(home);
  const told = await untilSettled(last, asked);
  return [...(await mistold(last, asked, told, outcome)), ...(await mischarged(sandbox, asked, told))];
}

/** An installation of its own, over a sandbox. */
export function homeAt(sandbox: TestSandbox): Home {
  return {
    data: temporaryFolder(),
    env: {
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.keys.ultra,
      REELAY_RATE_WINDOW_MS: String(60_000 * TIME_SCALE),
      REELAY_POLL_MS: String(5_000 * TIME_SCALE),
    },
  };
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
  killed += 1;
}

/** What the conversation says of one job. */
type Told = ReturnType<typeof jobsIn>[number];

/** What a conversation says of jobs. */
export function jobsIn(conversation: readonly Message[]) {
  return conversation.flatMap(({ body }) => ("job" in body && body.job ? { ...body, job: body.job } : []));
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

function isAbout(values: Values, asked: Asked): boolean {
  return values["prompt"] === asked.prompt && photoIn(values) === asked.photo;
}

/** Which of {@link PHOTOS} a job was asked with; -1 for none. */
export function photoIn({ image }: Values): number {
  return isMediaRef(image) ? photoOf(image.id) : -1;
}

async function mistold(
  child: Child,
  asked: readonly Asked[],
  told: readonly Told[],
  outcome: Told["kind"],
): Promise<string[]> {
  const broken: string[] = [];
  for (const one of asked) {
    const name = `${one.prompt}, photo ${one.photo}`;
    const [first, ...more] = told.filter(({ job }) => isAbout(job.values, one));
    if (more.length > 0) broken.push(`${name}: told ${more.length + 1} times`);
    if (first && first.kind !== outcome) broken.push(`${name}: ended as ${JSON.stringify(first)}`);
    if (first?.kind !== "result") continue;
    const photo = madeOf(await child.file(first.media[0]?.id ?? ""));
    if (photo !== one.photo) broken.push(`${name}: delivered the video of photo ${photo}`);
  }
  return broken;
}

async function mischarged(
  sandbox: TestSandbox,
  asked: readonly Asked[],
  told: readonly Told[],
): Promise<string[]> {
  const { submissions, accounts } = await sandbox.ledger();
  const broken: string[] = [];
  for (const prompt of new Set([...asked, ...submissions].map((one) => one.prompt))) {
    const jobs = told.filter(({ job }) => job.values["prompt"] === prompt).length;
    const made = submissions.filter((submission) => submission.prompt === prompt).length;
    if (made !== jobs) broken.push(`${prompt}: ${made} submissions for ${jobs} jobs`);
  }
  const costs = told.map((one) =>
    one.kind === "result" ? one.cost : one.kind === "problem" ? one.charged : null,
  );
  const sum = costs.reduce<number>((total, cost) => total + (cost ?? Number.NaN), 0);
  const used = accounts.find(({ name }) => name === "ultra")?.used ?? Number.NaN;
  if (sum.toFixed(2) !== used.toFixed(2)) broken.push(`told of ${sum} tokens, charged ${used}`);
  return broken;
}
