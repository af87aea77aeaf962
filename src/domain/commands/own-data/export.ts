import { everyLine } from "../../audit/every-line.ts";
import type { FileView } from "../../../seam/views.ts";
import { everyJob } from "../../jobs/every-job.ts";
import type { ExportHead } from "../../people/export-format.ts";
import type { ExportEntry } from "../../people/export-parts.ts";
import { declaredBy } from "../../people/people.ts";
import { exportedJob, exportedLine, timeOf } from "../../people/exported.ts";
import { command, type Context, pressableSchema } from "../command.ts";
import { currentTime } from "../../../common/time.ts";

/** About 12,000 jobs; every platform takes files of this size, in bytes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Gives a person everything that is kept about them, as JSON: one file, or several where there is more. */
export const exportData = command({
  name: "export",
  label: "command.export",
  description: "command.export.description",
  kind: "command",
  traits: { topic: "privacy", handsOut: true },
  forEverybody: true,
  schema: pressableSchema,
  async run(context) {
    const { audit, origin, reply, surfaces } = context;
    const { user, platform } = origin;
    const maxBytes = Math.min(surfaces.of(platform).limits.maxUploadBytes, MAX_FILE_BYTES);
    // Few ever ask for it.
    const { exportParts } = await import("../../people/export-parts.ts");
    let part = 0;
    for await (const content of exportParts(await headOf(context), entriesOf(context), maxBytes)) {
      part += 1;
      await reply(fileView(part, content));
    }
    await audit.write({ act: "export", user, surface: platform });
  },
});

function fileView(part: number, content: string): FileView {
  return {
    kind: "file",
    text: part === 1 ? { key: "export.text" } : { key: "export.part", params: { part } },
    file: {
      name: part === 1 ? "reelay-export.json" : `reelay-export-${part}.json`,
      type: "application/json",
      content,
    },
  };
}

async function headOf({
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

async function* entriesOf({
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
