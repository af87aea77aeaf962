import { deepEqual } from "node:assert/strict";
import { RATE_LIMITS, RATE_WINDOW_MS } from "../src/common/contract.ts";
import { leastShare, type Rush, rush } from "../test/support/partner-crowd.ts";
import { cpuOf } from "./support/cpu.ts";
import { type Gateway, GATEWAYS, mixedOrder } from "./support/gateways.ts";
import type { Figures } from "./support/meter.ts";
import { answering, freePort } from "./support/port.ts";
import { median, percent, quantile, say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";

const PARTNERS = 200;
const JOBS_EACH = 50;
const ALL = PARTNERS * JOBS_EACH;
const CONNECTIONS_EACH = 10;
/** How long a partner's program waits for an answer, in milliseconds. */
const PATIENCE_MS = 60_000;

const TIME_SCALE = 1 / 20;
const WINDOW_MS = RATE_WINDOW_MS * TIME_SCALE;
/** The service's own rule: every 5 to 10 s (section 8.2). */
const POLL_MS = 5_000 * TIME_SCALE;
const JOB_SECONDS = [8, 12] as const;

/** What it made of the rush. */
interface Measured extends Rush, Pick<Figures, "peak" | "stalledMs"> {
  readonly name: string;
  /** Processor time, in milliseconds. */
  readonly cpuMs: number;
  /** Requests that the service got, and those of them that it answered with a 429: for the rate, or for want of a job slot. */
  readonly sent: number;
  readonly refused: { readonly rate: number; readonly slot: number };
}

async function measure(contender: Gateway): Promise<Measured> {
  const { name } = contender;
  say(`  ${name}`);
  await using service = await startService({
    timeScale: TIME_SCALE,
    jobSeconds: JOB_SECONDS,
    people: PARTNERS,
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { process, tokens } = await contender.start(service, { port, windowMs: WINDOW_MS, pollMs: POLL_MS });
  await using gateway = process;
  await answering(`${url}/readyz`);
  const order = await mixedOrder();
  gateway.watch();
  const before = await gateway.figures();
  const found = await rush({
    urls: [url],
    tokens,
    jobsEach: JOBS_EACH,
    connectionsEach: CONNECTIONS_EACH,
    patienceMs: PATIENCE_MS,
    order,
  });
  const { cpuMs, peak, stalledMs } = await gateway.figures();
  const { requests, rejected: refused } = await service.counts();
  const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
  return { ...found, name, cpuMs: cpuMs - before.cpuMs, peak, stalledMs, sent, refused };
}

/** What became of the jobs, by how many. */
function outcomeOf({ submissions, told, refused }: Measured) {
  const completed = told.filter(({ status }) => status === "completed");
  return {
    accepted: submissions.filter(({ status }) => status === 202).length,
    failures: submissions.filter(({ status }) => status >= 500).length,
    jobs: new Set(submissions.flatMap(({ job }) => job ?? [])).size,
    completed: new Set(completed.map(({ job }) => job)).size,
    messages: new Set(told.map(({ message }) => message)).size,
    tooFast: refused.rate,
  };
}

function promisesRow(measured: Measured): string[] {
  const { refused, sent } = measured;
  const { accepted, failures, completed, messages } = outcomeOf(measured);
  const twice = messages - new Set(measured.told.map(({ job }) => job)).size;
  return [
    measured.name,
    `${accepted} / ${ALL}`,
    String(failures),
    `${completed} / ${ALL}`,
    String(twice),
    `${refused.rate} / ${sent}`,
    String(refused.slot),
  ];
}

function fairnessRow({ name, told }: Measured): string[] {
  const firsts = Array.from(
    { length: PARTNERS },
    (_, nth) => told.find(({ partner }) => partner === nth)?.atMs ?? Number.POSITIVE_INFINITY,
  );
  return [
    name,
    ...[0.25, 0.5, 0.75].map((share) => percent(leastShare(told, PARTNERS, share))),
    seconds(median(firsts)),
    seconds(Math.max(...firsts)),
    seconds(told.at(-1)?.atMs ?? Number.NaN),
  ];
}

function costRow({ name, submissions, cpuMs, peak, stalledMs }: Measured): string[] {
  const took = submissions.map(({ tookMs }) => tookMs);
  return [
    name,
    seconds(median(took)),
    seconds(quantile(took, 0.99)),
    seconds(Math.max(...took)),
    seconds(stalledMs),
    `${(cpuMs / ALL).toFixed(1)} ms`,
    `${Math.round(peak / 2 ** 20)} MiB`,
  ];
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** What partners' programs are given that ask for everything at once. */
export async function gateway(): Promise<Section> {
  const all: Measured[] = [];
  const bare = [await cpuOf(["-e", "0"])];
  for (const contender of GATEWAYS) {
    all.push(await measure(contender));
    bare.push(await cpuOf(["-e", "0"]));
  }
  const [reelay] = all;
  // What was promised is no matter of degree.
  if (reelay)
    deepEqual(outcomeOf(reelay), {
      accepted: ALL,
      failures: 0,
      jobs: ALL,
      completed: ALL,
      messages: ALL,
      tooFast: 0,
    });
  const { video, videoAudio, image, status } = RATE_LIMITS;
  const text = `${PARTNERS} partners, each with a service key of their own, ask for ${JOBS_EACH} jobs each at the same moment: ${ALL} requests over
${PARTNERS * CONNECTIONS_EACH} connections that are kept alive, sent again under the same \`Idempotency-Key\` where one breaks. Of five jobs one is
a photo's video, three are H3 from words, one is a picture; all leave by one IP, which may send ${video}, ${videoAudio} and ${image} of them a
minute, and ${status} status reads (section 8.1). A render takes ${JOB_SECONDS.join(" to ")} s. The service's time runs ${1 / TIME_SCALE} times faster, so that its
minute lasts ${WINDOW_MS / 1_000} s; what gateways do themselves takes as long as ever. Each job ends with a webhook to its partner's own receiver. Reelay is
the whole program as it is always started, in a process of its own; the service is another. The peer is the least that a
gateway can be: queues in memory, one for each published rate, served in the order of arrival; nothing is signed, and nothing
outlives a crash. How many job slots an account has is not published (section 8.1): a gateway finds out by asking for one more, and
a refusal for want of one costs nothing. A refusal for the rate would be a promise broken, and ends this bench.

${table(["", "accepted", "5xx", "completed", "told twice", "429s for the rate / requests", "for want of a slot"], all.map(promisesRow))}

Fairness: what the partner with the fewest finished jobs had, of what an equal share would have been, when a quarter, half
and three quarters of all jobs were done; and when partners had the first of theirs.

${table(["", "share at 25 %", "at 50 %", "at 75 %", "first job, median", "worst", "last job of all"], all.map(fairnessRow))}

What it costs: how long partners waited for their answers, counted from the moment at which everybody began; the longest
time that the process could do nothing else; its processor time for each job, and the most memory that it had.

${table(["", "answer, median", "99th percentile", "last", "longest stall", "CPU a job", "memory"], all.map(costRow))}

One has the machine after the other, which is not always as fast: \`node -e 0\` took ${bare.map((ms) => ms.toFixed(0)).join(", ")} ms of processor time
before, between and after.`;
  return { title: `${PARTNERS} partners who ask for ${JOBS_EACH} jobs each at once`, text };
}
