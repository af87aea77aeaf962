import { expect, it } from "vitest";
import { writtenBy } from "../../../bench/support/commits.ts";
import { counted } from "../../../bench/support/statement-meter.ts";
import { receiver } from "../../domain/webhooks/harness.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

/**
 * What depends on how long things take: calls and their slots, signs of life, what is looked for now and then, progress. And what the
 * sandbox writes, in capitals.
 */
const NOW_AND_THEN =
  /^(?:\w+ (?:rate_\w+|runners|lessons|report_notices|left_notices|roles|kv \((?!http\)).*\))(?:, )?)+$|^insert job_events$|^$|^[A-Z]/;

/** A step on the way that may come several times, or never. */
const ON_THE_WAY = /^\s*update "jobs" set (?:"state" = \?, "progress" = \?|"read_at" = \?) where/;

/** What is asked about each job, told by a part of it. */
const READS = {
  "how many go first": 'as "before"',
  "what keeps it from leaving": 'as "alike"',
} as const;

/** What one more job has the database do. */
async function spentOn(job: () => Promise<void>) {
  const before = new Map(counted());
  await job();
  const made = counted().map(([sql, count]) => [sql, count - (before.get(sql) ?? 0)] as const);
  const sum = (those: (sql: string) => boolean) =>
    made.reduce((all, [sql, count]) => all + (those(sql) ? count : 0), 0);
  const onTheWay = sum((sql) => ON_THE_WAY.test(sql));
  const commits = made.flatMap(([sql, count]) => {
    const what = writtenBy(sql);
    if (what === undefined || count === 0 || NOW_AND_THEN.test(what)) return [];
    return [[what, what === "update jobs" ? count - onTheWay : count] as const];
  });
  const reads = Object.entries(READS).map(
    ([what, part]) => [what, sum((sql) => sql.includes(part))] as const,
  );
  return { commits: Object.fromEntries(commits), reads: Object.fromEntries(reads) };
}

it("writes a job of a partner in one transaction a step, and asks nothing twice about it", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  await using hook = await receiver();
  const acme = await gateway.join();
  const make = async (nth: number) => {
    await acme.accepted({ operation: "image", input: { prompt: `a cat ${nth}` }, webhook: hook.url });
    await hook.atLeast(nth);
    const settled = async () => {
      const log = (await (await acme.call("/deliveries")).json()) as { data: { state: string }[] };
      return log.data.filter(({ state }) => state === "delivered").length;
    };
    await expect.poll(settled).toBe(nth);
  };
  // What it costs is known from then on, and what hardly changes is in mind.
  await make(1);
  expect(await spentOn(() => make(2))).toEqual({
    commits: {
      "insert spent, insert audit, insert kv (http), insert job_events, insert jobs": 1,
      // About to be sent, accepted, completed and about to be delivered.
      "update jobs": 3,
      "insert made_pictures, insert made_looks": 1,
      "insert held_files": 1,
      "update jobs, insert job_events, insert webhook_deliveries": 1,
      "update webhook_deliveries": 1,
    },
    reads: { "how many go first": 1, "what keeps it from leaving": 1 },
  });
});
