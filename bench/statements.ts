import { RATE_WINDOW_MS } from "../src/common/contract.ts";
import { rush } from "../test/support/partner-crowd.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { startReelay } from "./support/measured-bot.ts";
import { addPartners } from "./support/partners.ts";
import { answering, freePort } from "./support/port.ts";
import { say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";
import { FLUSH, writtenBy } from "./support/commits.ts";

const PARTNERS = 10;
const JOBS_EACH = 30;
const ALL = PARTNERS * JOBS_EACH;
const TIME_SCALE = 1 / 20;

/** Kinds of statements, told by how they begin; the first that fits. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["looks whether another process changed something", /^pragma data_version/],
  ["transactions begun", /^begin/],
  ["transactions ended", /^(commit|rollback)/],
  ["reads", /^(select|with)/],
  ["writes", /./],
];

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** How many SQL statements a gateway's job takes, from the request to the webhook's end. */
export async function statements(): Promise<Section> {
  say(`  ${ALL} jobs`);
  await using service = await startService({ timeScale: TIME_SCALE, jobSeconds: [8, 12], people: PARTNERS });
  const data = temporaryFolder();
  const tokens = await addPartners(data, service.peopleKeys);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await using gateway = startReelay(
    service,
    {
      REELAY_DATA: data,
      REELAY_PORT: String(port),
      REELAY_RATE_WINDOW_MS: String(RATE_WINDOW_MS * TIME_SCALE),
      REELAY_POLL_MS: String(5_000 * TIME_SCALE),
      REELAY_PRIVATE_HOSTS: "127.0.0.1",
    },
    { countsStatements: true },
  );
  await answering(`${url}/readyz`);
  const before = await gateway.statements();
  const { told } = await rush({
    urls: [url],
    tokens,
    jobsEach: JOBS_EACH,
    connectionsEach: 2,
    patienceMs: 60_000,
    order: (partner, nth) => ({
      operation: "image",
      input: { prompt: `order ${nth} of partner ${partner}` },
    }),
  });
  if (told.length !== ALL) throw new Error(`${told.length} of ${ALL} jobs were told of.`);
  const after = await gateway.statements();
  const sums = new Map(KINDS.map(([kind]) => [kind, 0]));
  const commits: [what: string, count: number][] = [];
  let flushes = 0;
  for (const [sql, count] of after) {
    const made = count - (before.get(sql) ?? 0);
    const what = writtenBy(sql);
    if (what !== undefined) commits.push([what, made]);
    else if (sql === FLUSH) flushes = made;
    else {
      const kind = KINDS.find(([, begin]) => begin.test(sql.trim()))?.[0] ?? "";
      sums.set(kind, (sums.get(kind) ?? 0) + made);
    }
  }
  const each = (count: number) => (count / ALL).toFixed(1);
  const often = commits.filter(([, count]) => each(count) !== "0.0").toSorted(([, a], [, b]) => b - a);
  const seldom = sumOf(commits.map(([, count]) => count)) - sumOf(often.map(([, count]) => count));
  const text = `${PARTNERS} partners ask for ${JOBS_EACH} pictures each at once, and are told of each by a webhook. Every statement that the
process runs from the first request to the last webhook is counted, also what it does while it waits, and divided by the ${ALL}
jobs.

${table(["", "a job"], [...[...sums].map(([kind, count]) => [kind, each(count)]), ["all", each(sumOf([...sums.values()]))]])}

It takes ${each(sumOf(commits.map(([, count]) => count)))} commits, which share ${each(flushes)} flushes of the disk; each commit writes:

${table(["", "a job"], [...often.map(([what, count]) => [what || "nothing", each(count)]), ["others", each(seldom)]])}`;
  return { title: "Statements of a gateway's job", text };
}
