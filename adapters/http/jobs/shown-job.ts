import type { JobRecord } from "../../../src/seam/access/job-record.ts";
import type { Locale } from "../../../src/common/i18n.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { type JobBody, jobBody } from "../resources/job.ts";

/** A job as its partner reads it. */
export async function shownJob(
  { links, forPartners }: Pick<GatewayParts, "links" | "forPartners">,
  record: JobRecord,
  locale: Locale,
): Promise<JobBody> {
  return jobBody(record, { makeLink: (file) => links.make(file), mode: forPartners.mode }, locale);
}
