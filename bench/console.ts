import { RATE_WINDOW_MS } from "../src/common/contract.ts";
import { rush } from "../test/support/partner-crowd.ts";
import { launchBrowser } from "../test/support/browser.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { twice } from "./support/ends.ts";
import { countTold, type Frames, framesOf, watchFrames } from "./support/frames.ts";
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

/**
 * Who has the console open in each run: nobody, whoever reads what it is told, or a browser, whose own work is none of Reelay's. In an
 * order in which whatever the machine does meanwhile falls on both that are compared.
 */
const RUNS = ["nobody", "reader", "reader", "nobody", "browser"] as const;
type Looking = (typeof RUNS)[number];

/** The most that an open console may cost. */
const MOST = 0.03;

/** What came of a run. */
interface Run {
  readonly looking: Looking;
  /** Processor time of Reelay, in milliseconds. */
  readonly cpuMs: number;
  readonly completed: number;
  readonly repeated: number;
  /** How often the console was told what is going on. */
  readonly looks: number;
  readonly tookMs: number;
  /** What a browser saw; undefined where none looked. */
  readonly seen: Seen | undefined;
}

/** What two pages were like in one browser at the same time. */
interface Seen {
  readonly console: Frames;
  /** With nothing in it. */
  readonly blank: Frames;
}

/** Somebody who looks. */
interface Looker {
  close(): Promise<Pick<Run, "looks" | "seen">>;
}

/** Keeps the console's page Now open, as a browser does. */
class Reader implements Looker {
  #looks = 0;
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

  async close() {
    this.#closed.abort();
    await this.#reading;
    return { looks: this.#looks, seen: undefined };
  }

  async #read(text: ReadableStream<string>, onTold: () => void): Promise<void> {
    for await (const part of text) {
      this.#looks += part.split("event: now").length - 1;
      if (this.#looks > 0) onTold();
    }
  }
}

/** Opens the console's page Now in a browser, and a page with nothing in it beside that. */
async function browse(url: string): Promise<Looker> {
  const browser = await launchBrowser();
  const open = async (address: string) => {
    const page = await (await browser.newContext()).newPage();
    await countTold(page);
    await page.goto(address);
    return page;
  };
  const [blank, page] = [await open("about:blank"), await open(`${url}/console#now`)];
  await page.getByRole("meter").first().waitFor();
  await Promise.all([watchFrames(blank), watchFrames(page)]);
  return {
    async close() {
      const [ofBlank, ofConsole] = await Promise.all([framesOf(blank), framesOf(page)]);
      await browser.close();
      return { looks: ofConsole.told, seen: { blank: ofBlank, console: ofConsole } };
    },
  };
}

async function look(looking: Looking, url: string): Promise<Looker> {
  if (looking === "browser") return browse(url);
  const reader = new Reader();
  if (looking === "reader") await reader.open(url);
  return reader;
}

async function run(looking: Looking): Promise<Run> {
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
  const looker = await look(looking, url);
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
  const { looks, seen } = await looker.close();
  const jobs = told.filter(({ status }) => status === "completed").map(({ job }) => job);
  return {
    looking,
    cpuMs: after.cpuMs - before.cpuMs,
    completed: new Set(jobs).size,
    repeated: twice(told.map(({ job }) => job)),
    looks,
    tookMs,
    seen,
  };
}

const OPEN = { nobody: "closed", reader: "open", browser: "open in Chromium" } as const;

/** What a browser saw, beside what it would have seen with nothing to show. */
function seenText({ blank, console: shown }: Seen): string {
  const rows = Object.entries({ "nothing in it": blank, "the page Now": shown }).map(([name, frames]) => [
    name,
    frames.perSecond.toFixed(1),
    `${frames.longestMs.toFixed(0)} ms`,
    `${frames.longTasks}, ${frames.longTasksMs.toFixed(0)} ms`,
    String(frames.elements),
  ]);
  return `Meanwhile Chromium, without a graphics card, showed two pages at once, beside Reelay, the service and the partners on the same cores; one had
nothing in it. The console drew ${percent(shown.perSecond / blank.perSecond)} of the frames of the other:

${table(["page", "frames a second", "longest wait for one", "tasks over 50 ms", "elements"], rows)}`;
}

/** What it costs Reelay that somebody looks at the console. */
export async function console(): Promise<Section> {
  const runs: Run[] = [];
  for (const looking of RUNS) {
    say(`  ${ALL} jobs, with the console ${OPEN[looking]}`);
    runs.push(await run(looking));
  }
  const cpuMs = (looking: Looking) =>
    runs.reduce((sum, one) => (one.looking === looking ? sum + one.cpuMs : sum), 0);
  const ratio = cpuMs("reader") / cpuMs("nobody");
  const rows = runs.map(({ looking, cpuMs: used, completed, repeated, looks, tookMs }) => [
    OPEN[looking],
    String(completed),
    String(repeated),
    `${(used / ALL).toFixed(2)} ms`,
    String(looks),
    `${(tookMs / 1_000).toFixed(0)} s`,
  ]);
  const text = `One Reelay on SQLite and ${KEYS} partners with a key each, who ask for ${JOBS_EACH} jobs each at the same moment, at a service whose time runs
${ADDRESSES} times faster; each is told by a webhook. The runs, in this order, differ in nothing but that somebody has the console's page Now
open, which follows by itself, from before the first job to after the last one: in the last run in a browser of the same machine.

${table(["console", "completed", "told twice", "processor time a job", "told to the console", "took"], rows)}

With the console open, but for the browser, Reelay used ${ratio.toFixed(3)} times the processor time; ${percent(MOST)} more is the most that it may cost${ratio <= 1 + MOST ? "" : ": it costs more"}.

${runs.map(({ seen }) => (seen ? seenText(seen) : "")).join("")}`;
  return { title: `${ALL.toLocaleString("en")} jobs while the console is open`, text };
}
