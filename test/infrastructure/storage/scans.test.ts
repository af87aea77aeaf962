import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { receiver } from "../../domain/webhooks/harness.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

/** Tables with rows for all that ever was. */
const GROWING = ["jobs", "erased_jobs", "job_events", "webhook_deliveries", "audit", "rate_slots"];

/** A look through all of a table; what an index has that is of what goes on alone is no such thing. */
const SCAN = new RegExp(
  `^SCAN (${GROWING.join("|")})(?! USING (COVERING )?INDEX (jobs_going_on|jobs_open|jobs_un|webhook_deliveries_due))`,
);

/** What can have no rows, SQLite does not look for: a list without values, and ids of jobs that were erased, which have none. */
const WITHOUT_ROWS = / in \(\)|^insert into "erased_jobs"/;

/** A partner's requests for a job and all that is asked about it, also one whose answer is lost. */
async function work(
  sandbox: Awaited<ReturnType<typeof testSandbox>>,
  gateway: Awaited<ReturnType<typeof openGateway>>,
) {
  await using hook = await receiver();
  const acme = await gateway.join();
  await acme.call("/webhooks", {
    method: "POST",
    body: JSON.stringify({ url: hook.url }),
    headers: { "content-type": "application/json" },
  });
  const order = { operation: "image", input: { prompt: "a cat" }, in_app_username: "zoe" };
  const { id } = await acme.accepted(order);
  await acme.ended(id);
  for (const kind of ["reset-before", "reset-after"]) {
    await sandbox.fault({ kind, match: { method: "POST", path: "/api/generate/image" } });
    await acme.ended((await acme.accepted(order)).id);
  }
  await hook.atLeast(3);
  for (const path of [
    "/jobs?limit=2",
    "/jobs?status=completed&in_app_username=zoe",
    "/jobs?status=failed&operation=image",
    "/jobs?status=running&created_after=2026-01-01T00:00:00Z",
    "/usage?by=day,in_app_username&since=2026-01-01&in_app_username=zoe",
    "/budgets",
    "/usage",
    "/deliveries",
  ])
    expect((await acme.call(path)).status).toBe(200);
  await expect.poll(async () => (await acme.call(`/jobs/${id}`, { method: "DELETE" })).status).toBe(200);
}

it("finds what a job, and each request about it, needs without looking through all that ever was", async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  await work(sandbox, gateway);
  const path = join(gateway.data, "reelay.db");
  const isOurs = (database: DatabaseSync) => database.isOpen && database.location() === path;
  const statements = new Set(
    prepare.mock.calls.flatMap(([sql], call) =>
      isOurs(prepare.mock.contexts[call] as DatabaseSync) ? [sql.trim()] : [],
    ),
  );
  expect([...statements].some((sql) => sql.includes("jobs"))).toBe(true);
  using sqlite = new DatabaseSync(path);
  sqlite.function("now_ms", () => Date.now());
  const scans = [...statements]
    .filter((sql) => /^(select|with|insert|update|delete)/.test(sql) && !WITHOUT_ROWS.test(sql))
    .flatMap((sql) => {
      const plan = sqlite
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail));
      return plan.filter((step) => SCAN.test(step)).map((step) => `${step}: ${sql}`);
    });
  expect(scans).toEqual([]);
});
