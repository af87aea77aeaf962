import { everyLine } from "../../audit/every-line.ts";
import { everyJob } from "../../jobs/every-job.ts";
import type { ExportHead } from "../../people/export-format.ts";
import type { ExportEntry } from "../../people/export-parts.ts";
import { declaredBy } from "../../people/people.ts";
import { exportedJob, exportedLine, timeOf } from "../../people/exported.ts";
import { currentTime } from "../../../common/time.ts";
import type { Context } from "../command.ts";

/** What an export begins with. */
export async function headOf({
  people,
  sumUsage,
  vault,
  origin,
}: Pick<Context, "people" | "sumUsage" | "vault" | "origin">): Promise<ExportHead> {
  const { user: id, platform } = origin;
  const person = await people.of(id);
  const { locale = null, spendBelow = null } = person;
  const usage = await sumUsage({ user: id, by: ["operation"] });
  return {
    exportedAt: timeOf(currentTime()),
    person: { id, platform },
    key: (await vault.has(id)) ? "stored" : "none",
    settings: { locale, spendBelow },
    statements: declaredBy(person).map(([statement, { version, at, surface }]) => ({
      statement,
      version,
      at: timeOf(at),
      platform: surface,
    })),
    usage: usage.map(({ operation, jobs, successes, tokens }) => ({
      operation: operation ?? "",
      jobs,
      successes,
      tokens,
    })),
  };
}

/** What follows in it, one after the other. */
export async function* entriesOf({
  ledger,
  audit,
  reports,
  origin,
}: Pick<Context, "ledger" | "audit" | "reports" | "origin">): AsyncGenerator<ExportEntry> {
  const { user } = origin;
  for await (const job of everyJob(ledger, user)) yield ["jobs", exportedJob(job)];
  for await (const line of everyLine(audit, { user })) yield ["audit", exportedLine(line)];
  for (const { job, at } of await reports.madeBy(user)) yield ["reports", { job, at: timeOf(at) }];
}
