import { RATE_WINDOW_MS } from "../src/common/contract.ts";
import { rush } from "../test/support/partner-crowd.ts";
import { type Gateway, GATEWAYS, mixedOrder } from "./support/gateways.ts";
import { answering, freePort } from "./support/port.ts";
import { median, quantile, say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";

/** How many partners, and how many jobs each of them asks for. */
const CROWDS = [
  { partners: 40, jobsEach: 50 },
  { partners: 200, jobsEach: 10 },
] as const;
const CONNECTIONS_EACH = 10;
/** How long a partner's program waits for an answer, in milliseconds. */
const PATIENCE_MS = 120_000;
/** The service's own rule: every 5 to 10 s (section 8.2). */
const POLL_MS = 5_000;
/** No job ends before all are accepted. */
const JOB_SECONDS = [600, 900] as const;

async function measure(gateway: Gateway, { partners, jobsEach }: (typeof CROWDS)[number]): Promise<string[]> {
  const name = `${gateway.name}, ${partners} x ${jobsEach}`;
  say(`  ${name}`);
  await using service = await startService({ timeScale: 1, jobSeconds: JOB_SECONDS, people: partners });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = { port, windowMs: RATE_WINDOW_MS, pollMs: POLL_MS };
  const { process, tokens } = await gateway.start(service, running);
  await using measured = process;
  await answering(`${url}/readyz`);
  const order = await mixedOrder();
  measured.watch();
  const before = await measured.figures();
  const { submissions } = await rush({
    urls: [url],
    tokens,
    jobsEach,
    order,
    connectionsEach: CONNECTIONS_EACH,
    patienceMs: PATIENCE_MS,
    answersOnly: true,
  });
  const { cpuMs, peak, stalledMs } = await measured.figures();
  const took = submissions.map(({ tookMs }) => tookMs);
  const accepted = submissions.filter(({ status }) => status === 202).length;
  return [
    name,
    `${accepted} / ${submissions.length}`,
    `${((cpuMs - before.cpuMs) / submissions.length).toFixed(2)} ms`,
    ...[median(took), quantile(took, 0.99), stalledMs].map((ms) => `${(ms / 1_000).toFixed(2)} s`),
    `${Math.round(peak / 2 ** 20)} MiB`,
  ];
}

/** What it costs to accept jobs that many partners ask for at once, whatever is made of them later. */
export async function admission(): Promise<Section> {
  const rows: string[][] = [];
  for (const crowd of CROWDS) for (const gateway of GATEWAYS) rows.push(await measure(gateway, crowd));
  const text = `Partners ask for their jobs at the same moment, over ${CONNECTIONS_EACH} connections each that are kept alive: of five jobs one is a photo's
video, three are H3 from words, one is a picture. The measure ends with the last answer; by then a minute's worth of jobs has been
sent to the service at the most, and none has ended. Reelay is the whole program, in a process of its own, and answers when a job is on the
disk; the peer is the one of the section before, which keeps it in memory.

${table(["", "accepted", "CPU a request", "answer, median", "99th percentile", "longest stall", "memory"], rows)}`;
  return { title: "Accepting what many partners ask for at once", text };
}
