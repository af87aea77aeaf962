import type { Job } from "../jobs/job.ts";
import type { Blocks } from "../policy/blocks.ts";
import { type Audience, isFinal, isLeftToOperators, OPERATORS, type Report } from "./report.ts";
import type { Seen } from "./report-view.ts";

/** What is so beside a report for those who are told of it. */
export async function seenBy(
  audience: Audience,
  report: Report,
  { user }: Pick<Job, "user">,
  { blocks }: { readonly blocks: Blocks },
): Promise<Seen> {
  if (audience === OPERATORS)
    return { isBlocked: await blocks.has({ user }), isLeft: isLeftToOperators(report) };
  return {
    isBlocked: await blocks.isKeptOutOf(audience, user),
    isFinal: isFinal(report),
  };
}
