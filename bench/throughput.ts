import { setTimeout as sleep } from "node:timers/promises";
import { RATE_LIMITS } from "../src/common/contract.ts";
import { connectPostgres } from "../src/infrastructure/storage/postgres/connect.ts";
import { rush, type Told } from "../test/support/partner-crowd.ts";
import { startPostgres, type TestPostgres } from "../test/support/postgres.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { byKind, type DatabaseWork, databaseWork, workSince } from "./support/database-meter.ts";
import { twice } from "./support/ends.ts";
import { mixedOrder } from "./support/gateways.ts";
import { type MeasuredBot, startReelay } from "./support/measured-bot.ts";
import { writePartners } from "./support/partners.ts";
import { answering, freePort } from "./support/port.ts";
import { percent, quantile, say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";

const NODES = 4;
const KEYS = 100;
const JOBS_EACH = Number(process.env["THROUGHPUT_JOBS"] ?? 6_000) / KEYS;
const ALL = KEYS * JOBS_EACH;
const CONNECTIONS_EACH = 2;
/** How long a partner's program waits for an answer, in milliseconds. */
const PATIENCE_MS = 120_000;

/** By so many addresses of its own each node leaves. */
const ADDRESSES_EACH = 6;
const JOB_SECONDS = [8, 12] as const;

/** The folder of another checkout: its nodes and this one's are measured in turn, twice each, under the same load. */
const AGAINST = process.env["THROUGHPUT_AGAINST"];

/** For how long nobody asks for anything at first, in milliseconds. */
const IDLE_MS = 20_000;

/** Jobs a minute that it is reckoned for. */
const WANTED = 2_000;

/** When nodes were all at work: the first and the last tenth come one by one. */
const STEADY = [0.1, 0.9] as const;

/** What came of it. */
interface Measured {
  readonly accepted: number;
  readonly told: readonly Told[];
  readonly tookMs: readonly number[];
  /** 429s: for the rate, and for want of a job slot, of which nobody publishes how many there are. */
  readonly rejected: { readonly rate: number; readonly slot: number };
  /** Processor time in all, in milliseconds. */
  readonly nodesMs: number;
  readonly databaseMs: number;
  /** How much of a processor the database needs while nobody asks for anything, from 0 to 1. */
  readonly idle: number;
  readonly work: DatabaseWork;
}

/** @param checkout whose nodes are measured; this one's unless given */
async function measure(server: TestPostgres, checkout?: string): Promise<Measured> {
  await using service = await startService({
    timeScale: 1,
    jobSeconds: JOB_SECONDS,
    people: KEYS,
  });
  const data = temporaryFolder();
  const address = await server.createDatabase();
  const database = await connectPostgres(address);
  const tokens = await writePartners(database, data, service.peopleKeys);
  await database.close();
  await using nodes = new AsyncDisposableStack();
  const urls: string[] = [];
  const started: MeasuredBot[] = [];
  for (let nth = 0; nth < NODES; nth += 1) {
    const port = String(await freePort());
    started.push(
      nodes.use(
        startReelay(
          service,
          {
            REELAY_DATA: data,
            REELAY_STORE: address,
            REELAY_PORT: port,
            REELAY_EGRESS: addressesOf(nth).join(","),
            REELAY_PRIVATE_HOSTS: "127.0.0.1",
          },
          { checkout },
        ),
      ),
    );
    urls.push(`http://127.0.0.1:${port}`);
  }
  for (const url of urls) await answering(`${url}/readyz`);
  const cpuMs = async () => {
    const figures = await Promise.all(started.map((node) => node.figures()));
    return { nodes: figures.reduce((sum, one) => sum + one.cpuMs, 0), database: server.cpuMs() };
  };
  const idle = await shareOf(() => server.cpuMs());
  const workBefore = await databaseWork(address);
  const before = await cpuMs();
  const { submissions, told } = await rush({
    urls,
    tokens,
    jobsEach: JOBS_EACH,
    connectionsEach: CONNECTIONS_EACH,
    patienceMs: PATIENCE_MS,
    order: await mixedOrder(),
  });
  const after = await cpuMs();
  const work = workSince(workBefore, await databaseWork(address));
  const { rejected } = await service.counts();
  return {
    accepted: submissions.filter(({ status }) => status === 202).length,
    told,
    tookMs: submissions.map(({ tookMs }) => tookMs),
    rejected,
    nodesMs: after.nodes - before.nodes,
    databaseMs: after.database - before.database,
    idle,
    work,
  };
}

/** A node's own, of the many that Linux has for the machine itself. */
const addressesOf = (node: number) =>
  Array.from({ length: ADDRESSES_EACH }, (_, nth) => `${node}-${nth}=127.0.${node + 1}.${nth + 1}`);

/** How much of a processor is used in a while, from 0 to 1. */
async function shareOf(cpuMs: () => number): Promise<number> {
  const [used, since] = [cpuMs(), performance.now()];
  await sleep(IDLE_MS);
  return (cpuMs() - used) / (performance.now() - since);
}

/** What is told of it, each with what it is. */
function rowsOf(measured: Measured): readonly (readonly [what: string, counted: string])[] {
  const { accepted, told, tookMs, rejected, nodesMs, databaseMs, idle, work } = measured;
  const times = told.map(({ atMs }) => atMs);
  const [from, to] = STEADY.map((share) => quantile(times, share));
  const steadyMs = (to ?? 0) - (from ?? 0);
  const perMinute = ((STEADY[1] - STEADY[0]) * told.length * 60_000) / steadyMs;
  const lastMs = Math.max(...times);
  const completed = new Set(told.filter(({ status: end }) => end === "completed").map(({ job }) => job));
  const calls = work.statements.reduce((sum, one) => sum + one.calls, 0);
  return [
    ["jobs accepted", `${accepted} of ${ALL}`],
    ["completed", String(completed.size)],
    ["told twice", String(twice(told.map(({ job }) => job)))],
    ["429s for the rate, and for want of a job slot", `${rejected.rate}, ${rejected.slot}`],
    ["accepted to delivered, of the second to the ninth tenth", `${Math.round(perMinute)} jobs a minute`],
    [
      "answer, median and 99th percentile",
      `${seconds(quantile(tookMs, 0.5))}, ${seconds(quantile(tookMs, 0.99))}`,
    ],
    [
      "processor time of the database",
      `${(databaseMs / ALL).toFixed(1)} ms a job, ${percent(databaseMs / lastMs)} of a core`,
    ],
    ["of that, what four idle nodes take", `${percent(idle)} of a core`],
    [
      `reckoned from both, ${WANTED} jobs a minute`,
      `${percent(((databaseMs - idle * lastMs) / ALL) * (WANTED / 60_000) + idle)} of a core`,
    ],
    ["its statements", `${each(calls)} a job`],
    ["its commits", `${each(work.commits)} a job`],
    ["rows that it read without an index", `${each(work.scanned)} a job`],
    ["connections opened", String(work.sessions)],
    [
      "processor time of the nodes",
      `${(nodesMs / ALL).toFixed(1)} ms a job, ${percent(nodesMs / lastMs / NODES)} of a core each`,
    ],
  ];
}

/** How much four nodes on one PostgreSQL do in a minute, and what it costs. */
export async function throughput(): Promise<Section> {
  const server = await startPostgres({ flushes: true, countsStatements: true });
  if (!server) throw new Error("This takes a PostgreSQL, which cannot be started here.");
  try {
    const turns = AGAINST === undefined ? [undefined] : [AGAINST, undefined, AGAINST, undefined];
    const runs: Measured[] = [];
    for (const checkout of turns) {
      say(`  ${ALL} jobs${checkout === undefined ? "" : `, ${checkout}`}`);
      runs.push(await measure(server, checkout));
    }
    const [first = [], ...others] = runs.map((run) => rowsOf(run));
    const rows = first.map(([what, counted], nth) =>
      [what, counted].concat(others.map((one) => one[nth]?.[1] ?? "")),
    );
    const names = turns.map((checkout) => (checkout === undefined ? "counted" : "the other checkout"));
    const last = runs.at(-1)?.work;
    const kinds = last ? byKind(last).map(({ kind, calls, ms }) => [kind, each(calls), each(ms)]) : [];
    const { video, videoAudio, image, status } = RATE_LIMITS;
    const text = `${NODES} nodes as processes on one PostgreSQL that flushes what it confirms, and ${KEYS} partners with a key each, who ask for ${JOBS_EACH} jobs each at
the same moment, spread over the nodes: of five jobs one is a photo's video, three are H3 from words, one is a picture, each told by a webhook. A
render takes ${JOB_SECONDS.join(" to ")} s. Each node leaves by ${ADDRESSES_EACH} addresses of its own, by each of which the service takes ${video}, ${videoAudio} and ${image} of them and
${status} status reads a minute (section 8.1). All of it, with the service and the partners' receivers, shares one machine. \`THROUGHPUT_AGAINST=FOLDER\`
measures another checkout in turn with this one.

${table(["", ...names], rows)}

What the database's statements took to be planned and run, by its wall's clock: where a processor or a lock is waited for, that counts, too.

${table(["", "statements a job", "ms a job"], kinds)}`;
    return { title: "What four nodes do in a minute", text };
  } finally {
    await server.stop();
  }
}

const each = (count: number) => (count / ALL).toFixed(1);

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
