import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import { leaseFor } from "../../src/domain/jobs/submission/lease.ts";
import { Child, hasContainers, type Home, IN_CONTAINER } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { type TestSandbox, testSandbox } from "../support/sandbox.ts";
import { type Sign, Silence } from "./silence.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { mischarged } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const CONTAINERS = hasContainers();
if (!CONTAINERS)
  process.stderr.write(
    "No process numbering of its own can be had here (that takes root on Linux): processes in several containers are tried with made-up identities only (test/domain/jobs/submission/runners.test.ts).\n",
  );

const WINDOW_MS = 10_000;

/** Whoever is silent for so long is taken for gone, in milliseconds. */
const LEASE_MS = leaseFor(WINDOW_MS);

/** As {@link homeAt}, in which a process that is silent for {@link LEASE_MS} is taken for gone. */
function sharedHome(sandbox: TestSandbox, within: readonly string[] = []): Home {
  const home = homeAt(sandbox);
  return { ...home, env: { ...home.env, REELAY_RATE_WINDOW_MS: String(WINDOW_MS) }, within };
}

const asked = (nth: number) => ({ prompt: `slow zoom ${nth}`, photo: nth, accepted: true });
const order = (nth: number) => ({
  prompt: asked(nth).prompt,
  photo: PHOTOS[nth] ?? new Uint8Array(),
  duration: 6,
});

/** How often each job was taken over, and where it is. */
function jobsOf({ data }: Home) {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  return database
    .prepare("select state, delivery, fence from jobs order by id")
    .all()
    .map(({ state, delivery, fence }) => ({ state, delivery, fence }));
}

/** Whoever is listed as living. */
async function signsIn({ data }: Home): Promise<readonly Sign[]> {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true, timeout: PATIENCE_MS });
  const rows = database.prepare("select id, beat_at from runners").all();
  return rows.map(({ id, beat_at: beatAt }) => ({
    id: String(id),
    beatAt: Number(beatAt),
    now: Date.now(),
  }));
}

const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: PATIENCE_MS, interval: 150 });

describe.concurrent("with a second process on the same data", { timeout: 3 * PATIENCE_MS }, () => {
  it("a process that is stopped between intent and socket posts nothing when it goes on", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const home = sharedHome(sandbox);
    using paused = new Child(home, ["start"], { point: "post", signal: "SIGSTOP" });
    // It may stand still before it says that it took the job.
    const asking = paused.ask(order(0)).catch(() => false);
    await until(() => expect(jobsOf(home)).toMatchObject([{ state: "submitting", fence: 0 }]));
    using heir = new Child(home);
    await until(() => expect(jobsOf(home)).toMatchObject([{ delivery: "delivered", fence: 1 }]));
    paused.resume();
    await asking;
    // Should it be silent for that long once more, nobody is there who would take it for gone.
    heir.stop();
    await heir.ended();
    // It goes on with what it is asked for from now on, after what it had begun.
    expect(await paused.ask(order(1))).toBe(true);
    await until(() => expect(jobsOf(home)[1]).toMatchObject({ delivery: "delivered", fence: 0 }));
    using last = new Child(home);
    const told = await untilSettled(last, [asked(0)]);
    const { submissions } = await sandbox.ledger();
    expect(submissions.map(({ prompt }) => prompt)).toEqual([asked(0).prompt, asked(1).prompt]);
    expect(told.filter(({ job }) => job.values["prompt"] === asked(0).prompt)).toHaveLength(1);
    expect(paused.output).not.toContain('"level":"error"');
  });

  it("one that is stopped while its job runs leaves it to the other, and both tell it once", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const home = sharedHome(sandbox);
    using paused = new Child(home, ["start"], { point: "running", signal: "SIGSTOP" });
    const asking = paused.ask(order(0)).catch(() => false);
    await until(() => expect(jobsOf(home)).toMatchObject([{ state: "running" }]));
    using heir = new Child(home);
    await until(() => expect(jobsOf(home)).toMatchObject([{ delivery: "delivered", fence: 1 }]));
    paused.resume();
    await asking;
    const told = await untilSettled(heir, [asked(0)]);
    expect(told).toHaveLength(1);
    expect(await mischarged(sandbox, [asked(0)], told)).toEqual([]);
  });

  it.runIf(CONTAINERS)(
    "in another container a living one keeps its jobs, and a killed one's go on",
    async () => {
      let isTold = false;
      while (!isTold) isTold = await inContainers();
      expect(isTold).toBe(true);
    },
  );
});

/** Has a process in another container live, and then be killed. @returns false where nothing is told: one was silent for too long */
async function inContainers(): Promise<boolean> {
  await using sandbox = await testSandbox({ render: tellingRenderer });
  const home = sharedHome(sandbox, IN_CONTAINER);
  await sandbox.fault({ kind: "hang", accepted: true, match: { method: "POST", path: "/api/generate" } });
  using first = new Child(home);
  expect(await first.ask(order(0))).toBe(true);
  await until(() => expect(jobsOf(home)).toMatchObject([{ state: "submitting" }]));
  await until(async () => expect((await sandbox.ledger()).submissions).toHaveLength(1));
  using silence = new Silence(() => signsIn(home));
  using second = new Child(home);
  expect(await second.ask(order(1))).toBe(true);
  await until(() => expect(jobsOf(home)[1]).toMatchObject({ delivery: "delivered" }));
  // By now the second one has looked for what others left: both have the number 1.
  const jobs = jobsOf(home);
  if ((await silence.longest()) >= LEASE_MS) return false;
  expect(jobs).toMatchObject([
    { state: "submitting", fence: 0 },
    { state: "completed", fence: 0 },
  ]);
  first.kill();
  await until(() => expect(jobsOf(home)[0]).toMatchObject({ delivery: "delivered", fence: 1 }));
  const told = await untilSettled(second, [asked(0), asked(1)]);
  expect(await mischarged(sandbox, [asked(0), asked(1)], told)).toEqual([]);
  return true;
}
