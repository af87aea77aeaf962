import type { ErrorCode } from "../../common/errors.ts";
import { operationOf } from "../operations/registry.ts";
import type { Job } from "./job.ts";
import type { OtherJob } from "./testimony.ts";

/** Jobs that were given up although they may have been accepted. */
export const LOST: ReadonlySet<ErrorCode> = new Set(["lost_track", "lost_charged", "lost_uncharged"]);

/** Types whose final price may differ from what was reserved (section 4.7, rule 4; their records show both). */
const SETTLED_LATER: ReadonlySet<string> = new Set(["vendor_h3", "vid3"]);

/**
 * What one of our jobs does to its account's numbers; undefined for one that was never accepted, or long ago.
 * @param since what ended before this has nothing to give back any more, in milliseconds since 1970
 * @param price of one whose charge is not known yet
 */
export function asOther(job: Job, since: number, price: number | null): OtherJob | undefined {
  const { state, submittedAt, acceptedAt, endedAt, error } = job;
  const { type } = operationOf(job.operation);
  const sentAt = submittedAt === null ? job.createdAt : sentAfter(submittedAt, job.before);
  const doubtful =
    state === "submitting" ||
    state === "unsure" ||
    (error !== null && LOST.has(error.code) && acceptedAt === null);
  if (doubtful) return { type, sentAt, acceptedAt: null, cost: price, ending: "none" };
  // One that ended and does not say when it was sent did so by another clock; see `keepTime`.
  if (acceptedAt === null || (endedAt !== null && submittedAt === null)) return undefined;
  const ended = endedAt !== null && endedAt >= since;
  const ending = endingOf(ended ? state : "running", type);
  return { type, sentAt, acceptedAt, cost: job.cost, ending };
}

/**
 * A job leaves after the numbers that it keeps were read. Times are whole milliseconds: in the same one, it would look as if those
 * numbers, which a job after it keeps as well, might hold it already.
 */
function sentAfter(submittedAt: number, before: Job["before"]): number {
  return submittedAt === before?.to ? submittedAt + 1 : submittedAt;
}

function endingOf(state: Job["state"], type: string): OtherJob["ending"] {
  if (state === "completed") return SETTLED_LATER.has(type) ? "unknown" : "none";
  // Whether a failed job is given back, the contract does not say.
  return state === "failed" ? "refund" : "none";
}
