import { setTimeout as sleep } from "node:timers/promises";
import { integer, option, record, sample } from "fast-check";
import { jobsIn } from "../test/crash/verdict.ts";
import { Child, hasContainers, type Home, IN_CONTAINER } from "../test/support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../test/support/crash-photos.ts";
import { temporaryFolder, testSandbox } from "../test/support/sandbox.ts";
import { say, type Section, table } from "./support/report.ts";

/** A process that is silent for half of it is taken for gone. */
const WINDOW_MS = 10_000;
const POLL_MS = 250;
const ROUNDS = Number(process.env["KILLS_ROUNDS"] ?? 100);
const SEED = Number(process.env["KILLS_SEED"] ?? 13);
const JOBS_A_ROUND = 2;
/** After this long what is not delivered counts as lost. */
const PATIENCE_MS = 10 * 60_000;

/** What happens to the process that was just asked, in milliseconds. */
const blows = record({
  afterMs: integer({ min: 0, max: 1_500 }),
  /** Around the time after which another takes over; null: it is killed. */
  pauseMs: option(integer({ min: 500, max: 12_000 }), { freq: 2 }),
});

const twice = (list: readonly unknown[]) => list.length - new Set(list).size;

/** Strikes again and again, while another process works on the same data, and then counts. */
async function measure(name: string, within: readonly string[]): Promise<string[]> {
  await using sandbox = await testSandbox({ render: tellingRenderer });
  const home: Home = {
    data: temporaryFolder(),
    within,
    env: {
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.addAccount("bench", "boss", 1e9),
      REELAY_RATE_WINDOW_MS: String(WINDOW_MS),
      REELAY_POLL_MS: String(POLL_MS),
    },
  };
  const accepted: string[] = [];
  let [kills, pauses] = [0, 0];
  using other = new Child(home);
  await other.url;
  for (const [round, { afterMs, pauseMs }] of sample(blows, { seed: SEED, numRuns: ROUNDS }).entries()) {
    say(`  ${name}: ${round + 1} of ${ROUNDS}`);
    using struck = new Child(home);
    await struck.url;
    const asking = Array.from({ length: JOBS_A_ROUND }, async (_, nth) => {
      const prompt = `slow zoom ${round}-${nth}`;
      const photo = PHOTOS[nth % PHOTOS.length] ?? new Uint8Array();
      if (await struck.ask({ prompt, photo, duration: 6 })) accepted.push(JSON.stringify(prompt));
    });
    await sleep(afterMs);
    if (pauseMs === null) {
      struck.kill();
      kills += 1;
    } else {
      struck.pause();
      await sleep(pauseMs);
      struck.resume();
      pauses += 1;
    }
    await Promise.all(asking);
    if (pauseMs === null) continue;
    // It goes on for a moment with whatever it believes to be its own, and leaves.
    await sleep(1_000);
    struck.stop();
    await struck.ended();
  }
  const told = await toldIn(other, accepted);
  const { submissions } = await sandbox.ledger();
  const lost = accepted.filter((prompt) => !told.includes(prompt)).length;
  const charged = twice(submissions.map(({ prompt }) => prompt));
  return [name, ...[kills, pauses, accepted.length, lost, charged, twice(told)].map(String)];
}

/** The prompts of all results, when every accepted job has one; whatever there is after a while. */
async function toldIn(child: Child, accepted: readonly string[]): Promise<readonly string[]> {
  const start = performance.now();
  for (;;) {
    const told = jobsIn(await child.conversation());
    const results = told.flatMap(({ kind, job }) =>
      kind === "result" ? [JSON.stringify(job.values["prompt"])] : [],
    );
    const open =
      told.some(({ kind }) => kind === "progress") || accepted.some((one) => !results.includes(one));
    if (!open || performance.now() - start > PATIENCE_MS) return results;
    await sleep(500);
  }
}

/** What becomes of jobs when processes are killed or stopped at random instants. */
export async function kills(): Promise<Section> {
  const rows = [await measure("one machine", [])];
  if (hasContainers()) rows.push(await measure("a container each", IN_CONTAINER));
  const head = ["", "kills", "pauses", "jobs accepted", "lost", "charged twice", "delivered twice"];
  const text = `One process works on some data. Again and again a second one is started beside it, asked for ${JOBS_A_ROUND} videos and, up to 1.5 s later,
killed (SIGKILL) or stopped for 0.5 to 12 s (SIGSTOP, SIGCONT), while the first takes over after ${WINDOW_MS / 2000} s of silence: ${ROUNDS} rounds
at the instants of seed ${SEED}. "A container each": every process has a numbering of processes of its own, so that none sees
whether another lives${rows.length > 1 ? "" : "; that takes root on Linux and was not tried here"}. A job is lost when it was accepted and never delivered; what was charged is read from
the sandbox's own books.

${table(head, rows)}`;
  return { title: "Killed and stopped at random instants", text };
}
