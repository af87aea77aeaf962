import type { OwnCall } from "../route/route.ts";
import type { JobBody } from "../resources/job.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { shownJob } from "./shown-job.ts";
import { followJob } from "./follow-job.ts";

/** Longer than this nobody is kept waiting for an answer: what stands between would cut the line. In seconds. */
const LONGEST_S = 60;

/**
 * How long a request would rather wait than be answered at once (RFC 7240), in seconds; 0: not at all.
 * @param prefer the header
 */
export function wantedWait(prefer = ""): number {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return Math.min(Number(seconds ?? 0), LONGEST_S);
}

/** A job when it has ended, or as it is after so many seconds. */
export async function awaitedJob(
  parts: Pick<GatewayParts, "forPartners" | "intake" | "links">,
  { c, ended, user, locale }: OwnCall,
  { id, seconds }: { readonly id: string; readonly seconds: number },
): Promise<JobBody> {
  const signal = AbortSignal.any([AbortSignal.timeout(seconds * 1_000), ended, c.req.raw.signal]);
  await followJob(parts.forPartners.events, id, { signal });
  return shownJob(parts, await parts.intake().jobs.find(user, id), locale);
}
