import { RATE_WINDOW_MS } from "../src/common/contract.ts";
import { rush } from "../test/support/partner-crowd.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { twice } from "./support/ends.ts";
import { mixedOrder } from "./support/gateways.ts";
import { startReelay } from "./support/measured-bot.ts";
import { addPartners } from "./support/partners.ts";
import { answering, freePort } from "./support/port.ts";
import { percent, say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";

const JOBS = Number(process.env["CONSOLE_JOBS"] ?? 10_000);
const KEYS = 100;
const JOBS_EACH = Math.ceil(JOBS / KEYS);
const ALL = KEYS * JOBS_EACH;
const CONNECTIONS_EACH = 2;
/** How long a partner's program waits for an answer, in milliseconds. */
const PATIENCE_MS = 120_000;

/** So much faster goes the service's time: as many jobs come and go in a minute as from that many addresses. */
const ADDRESSES = 25;
const JOB_SECONDS = [8, 12] as const;

/** Whether the console is open in each run: in an order in which whatever the machine does meanwhile falls on both. */
const RUNS = [false, true, true, false] as const;

/** The most that an open console may cost. */
const MOST = 0.03;

/** What came of a run. */
interface Run {
  readonly isOpen: boolean;
  /** Processor time of Reelay, in milliseconds. */
  readonly cpuMs: number;
  readonly completed: number;
  readonly repeated: number;
  /** How often the console was told what is going on. */
  readonly looks: number;
  readonly tookMs: number;
}

/** Keeps the console's page Now open, as a browser does. */
class Viewer {
  looks = 0;
  readonly #closed = new AbortController();
  #reading = Promise.resolve();

  /** Resolves once it was told for the first time. */
  async open(url: string): Promise<void> {
    const { signal } = this.#closed;
    const answer = await fetch(`${url}/console/web/now/events`, { signal });
    if (!answer.ok || !answer.body) throw new Error(`The console answered ${answer.status}.`);
    const told = Promise.withResolvers<void>();
    const text = answer.body.pipeThrough(new TextDecoderStream());
    this.#reading = this.#read(text, told.resolve).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    await told.promise;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#reading;
  }

  async #read(text: ReadableStream<string>, onTold: () => void): Promise<void> {
    for await (const part of text) {
      this.looks += part.split("event: now").length - 1;
      if (this.looks > 0) onTold();
    }
  }
}

async function run(isOpen: boolean): Promise<Run> {
  await using service = await startService({
    timeScale: 1 / ADDRESSES,
    jobSeconds: JOB_SECONDS,
    people: KEYS,
  });
  const data = temporaryFolder();
  const tokens = await addPartners(data, service.peopleKeys);
  const port = String(await freePort());
  await using reelay = startReelay(service, {
    REELAY_DATA: data,
    REELAY_PORT: port,
    REELAY_RATE_WINDOW_MS: String(RATE_WINDOW_MS / ADDRESSES),
    REELAY_POLL_MS: String(5_000 / ADDRESSES),
    REELAY_PRIVATE_HOSTS: "127.0.0.1",
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/readyz`);
  const viewer = new Viewer();
  if (isOpen) await viewer.open(url);
  const before = await reelay.figures();
  const begun = performance.now();
  const { told } = await rush({
    urls: [url],
    tokens,
    jobsEach: JOBS_EACH,
    connectionsEach: CONNECTIONS_EACH,
    patienceMs: PATIENCE_MS,
    order: await mixedOrder(),
  });
  const tookMs = performance.now() - begun;
  const after = await reelay.figures();
  await viewer.close();
  const jobs = told.filter(({ status }) => status === "completed").map(({ job }) => job);
  return {
    isOpen,
    cpuMs: after.cpuMs - before.cpuMs,
    completed: new Set(jobs).size,
    repeated: twice(told.map(({ job }) => job)),
    looks: viewer.looks,
    tookMs,
  };
}

/** What it costs Reelay that somebody looks at the console. */
export async function console(): Promise<Section> {
  const runs: Run[] = [];
  for (const isOpen of RUNS) {
    say(`  ${ALL} jobs, with the console ${isOpen ? "open" : "closed"}`);
    runs.push(await run(isOpen));
  }
  const cpuMs = (isOpen: boolean) =>
    runs.reduce((sum, one) => (one.isOpen === isOpen ? sum + one.cpuMs : sum), 0);
  const ratio = cpuMs(true) / cpuMs(false);
  const rows = runs.map(({ isOpen, cpuMs: used, completed, repeated, looks, tookMs }) => [
    isOpen ? "open" : "closed",
    String(completed),
    String(repeated),
    `${(used / ALL).toFixed(2)} ms`,
    String(looks),
    `${(tookMs / 1_000).toFixed(0)} s`,
  ]);
  const text = `One Reelay on SQLite and ${KEYS} partners with a key each, who ask for ${JOBS_EACH} jobs each at the same moment, at a service whose time runs
${ADDRESSES} times faster; each is told by a webhook. The runs, in this order, differ in nothing but that somebody has the console's page Now
open, which follows by itself, from before the first job to after the last one.

${table(["console", "completed", "told twice", "processor time a job", "told to the console", "took"], rows)}

With the console open Reelay used ${ratio.toFixed(3)} times the processor time; ${percent(MOST)} more is the most that it may cost${ratio <= 1 + MOST ? "" : ": it costs more"}.`;
  return { title: `${ALL.toLocaleString("en")} jobs while the console is open`, text };
}
