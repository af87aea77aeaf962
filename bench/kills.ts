import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { constantFrom, integer, option, record, sample } from "fast-check";
import { Refused } from "../test/adapters/web/support/client.ts";
import { Child, hasContainers, type Home, IN_CONTAINER } from "../test/support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../test/support/crash-photos.ts";
import { temporaryFolder, testSandbox } from "../test/support/sandbox.ts";
import { endsIn, twice } from "./support/ends.ts";
import { say, type Section, table } from "./support/report.ts";

/** A process that is silent for half of it is taken for gone. */
const WINDOW_MS = 10_000;
const POLL_MS = 250;
const ROUNDS = Number(process.env["KILLS_ROUNDS"] ?? 100);
const SEED = Number(process.env["KILLS_SEED"] ?? 13);
const JOBS_A_ROUND = 2;
/** After this long what nobody was told the end of counts as lost. */
const PATIENCE_MS = 5 * 60_000;

/** What happens to the process that was just asked, in milliseconds. */
const blows = record({
  /** What its delay counts from: what is only being taken in, and what was promised, break off in different places. */
  since: constantFrom("asking", "acceptance"),
  afterMs: integer({ min: 0, max: 1_500 }),
  /** Around the time after which another takes over; null: it is killed. */
  pauseMs: option(integer({ min: 500, max: 12_000 }), { freq: 2 }),
});

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
  let [kills, pauses, refused] = [0, 0, 0];
  using other = new Child(home);
  await other.url;
  for (const [round, { since, afterMs, pauseMs }] of sample(blows, {
    seed: SEED,
    numRuns: ROUNDS,
  }).entries()) {
    const before = jobsOf(home).length;
    say(`  ${name}: ${round + 1} of ${ROUNDS}`);
    using struck = new Child(home);
    await struck.url;
    const asking = Array.from({ length: JOBS_A_ROUND }, async (_, nth) => {
      const prompt = `slow zoom ${round}-${nth}`;
      const photo = PHOTOS[nth % PHOTOS.length] ?? new Uint8Array();
      await struck.ask({ prompt, photo, duration: 6 }).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        say(`    ${error.message}`);
        refused += 1;
      });
    });
    const answered = Promise.all(asking);
    if (since === "acceptance") await accepted(home, before, answered);
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
    await answered;
    if (pauseMs === null) continue;
    // It goes on for a moment with whatever it believes to be its own, and leaves.
    await sleep(1_000);
    struck.stop();
    await struck.ended();
  }
  const { jobs, told } = await settled(other, home);
  const { submissions } = await sandbox.ledger();
  const results = told.filter(({ kind }) => kind === "result");
  const problems = told.filter(({ kind }) => kind === "problem");
  const lost = jobs.filter((id) => !told.some(({ job }) => job?.id === id)).length;
  const charged = twice(submissions.map(({ prompt }) => prompt));
  const delivered = twice(results.map(({ job }) => JSON.stringify(job?.values["prompt"])));
  const counts = [kills, pauses, jobs.length, results.length, refused + problems.length, lost];
  return [name, ...[...counts, charged, delivered].map(String)];
}

/** Waits until there are more jobs than before, or all were answered: what is refused is never accepted. */
async function accepted(home: Home, before: number, answered: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  void answered.finally(() => over.abort());
  while (!over.signal.aborted && jobsOf(home).length === before) await sleep(20);
}

/** Every job that is kept, and what was told of them, when all have ended; what there is after a while. */
async function settled(child: Child, home: Home) {
  const start = performance.now();
  for (;;) {
    const jobs = jobsOf(home);
    const told = endsIn(await child.conversation());
    const open = jobs.filter((id) => !told.some(({ job }) => job?.id === id));
    if (open.length === 0 || performance.now() - start > PATIENCE_MS) return { jobs, told };
    await sleep(500);
  }
}

/** What was asked for was accepted when it became one of these. */
function jobsOf({ data }: Home): readonly string[] {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  return database
    .prepare("select id from jobs")
    .all()
    .map(({ id }) => String(id));
}

/** What becomes of jobs when processes are killed or stopped at random instants. */
export async function kills(): Promise<Section> {
  const rows = [await measure("one machine", [])];
  if (hasContainers()) rows.push(await measure("a container each", IN_CONTAINER));
  const head = [
    "",
    "kills",
    "pauses",
    "jobs accepted",
    "delivered",
    "refused with a sentence",
    "lost",
    "charged twice",
    "delivered twice",
  ];
  const text = `One process works on some data. Again and again a second one is started beside it, asked for ${JOBS_A_ROUND} videos and, up to 1.5 s after it was asked or
after it accepted the first, killed (SIGKILL) or stopped for 0.5 to 12 s (SIGSTOP, SIGCONT), while the first takes over after ${WINDOW_MS / 2000} s
of silence: ${ROUNDS} rounds at the instants of seed ${SEED}. What a process that is killed has not accepted was never promised. "A container each": every process has a numbering of processes of its own, so that none sees
whether another lives${rows.length > 1 ? "" : "; that takes root on Linux and was not tried here"}. What was asked for was accepted when it is among the jobs of the
data folder. One is lost when nobody was told of its end within ${PATIENCE_MS / 60_000} minutes; who was told a problem, at once or
later, was refused with a sentence. What was charged is read from the sandbox's own books.

${table(head, rows)}`;
  return { title: "Killed and stopped at random instants", text };
}
