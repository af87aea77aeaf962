import type { JobRecord } from "../../src/chat/jobs.ts";
import type { Locale } from "../../src/i18n.ts";
import type { GatewayParts } from "./app.ts";
import { type JobBody, jobBody } from "./resources/job.ts";

/** A job as its partner reads it now: never behind what they were told of it. */
export async function shownJob(
  { links, forPartners }: Pick<GatewayParts, "links" | "forPartners">,
  record: JobRecord,
  locale: Locale,
): Promise<JobBody> {
  // Its end is told a moment before the ledger says that it was.
  const told = record.phase === "sending" ? await forPartners.events.since(record.id, 0) : [];
  const end = told.find(({ type }) => type !== "job.progress");
  // What was told is what `jobBody` made.
  return end ? (end.data as unknown as JobBody) : jobBody(record, (file) => links.make(file), locale);
}
