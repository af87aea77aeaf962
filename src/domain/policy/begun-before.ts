import { idsFrom } from "../../common/ids.ts";
import { currentTime } from "../../common/time.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { held as locked } from "../../infrastructure/storage/exclusive.ts";
import type { Period } from "../../seam/access/budgets.ts";
import { type Partner, partnerUser } from "../../seam/access/partners.ts";
import { paidIn, purseOf } from "../accounts/play-money.ts";
import { startOf } from "../budgets/budget.ts";
import { OPEN_STATES } from "../jobs/job.ts";
import { LOST } from "../jobs/other-job.ts";
import { GOING_ON } from "../jobs/row.ts";
import { type BegunJobs, begunIn } from "../usage/begun.ts";
import { type Tallied, UsageCounter } from "./usage-counter.ts";

type Within = Pick<Database, "kysely">;

/** A partner's caps, as far as they say which counts there are. */
type Capped = Pick<Partner, "id" | "caps" | "userCaps">;

/**
 * Has the caps of jobs that a partner gets count what was begun in their day and month before they were set, or while they were
 * cleared: while there is none nothing is counted, so that it costs nothing.
 * @param within a transaction in which nobody begins a job as that partner
 * @param before undefined: nothing was set
 */
export async function countBegun(
  within: Within,
  before: Capped | undefined,
  { id, caps, userCaps }: Capped,
): Promise<void> {
  for (const period of ["day", "month"] as const) {
    const crowds = {
      all: caps[period] !== undefined && before?.caps[period] === undefined,
      each: userCaps[period] !== undefined && before?.userCaps[period] === undefined,
    };
    if (!crowds.all && !crowds.each) continue;
    const since = startOf(period, currentTime());
    for (const inSandbox of [false, true])
      await countJobsOf(within, { user: partnerUser(id), inSandbox, since }, period, crowds);
  }
}

async function countJobsOf(
  within: Within,
  jobs: BegunJobs,
  period: Period,
  crowds: { readonly all: boolean; readonly each: boolean },
): Promise<void> {
  const { user, inSandbox } = jobs;
  const counter = new UsageCounter(within);
  const ofAll = { by: user, period, ...purseOf(inSandbox) };
  const ofOne = (name: string) => ({ ...ofAll, by: `${user} ${name}` });
  // From here on none of them ends: each is either counted, and given back if it comes to nothing, or it came to nothing before.
  const open = await openIn(within, jobs);
  const begun = await begunIn(within, jobs, LOST);
  if (crowds.all)
    await counter.countAtLeast(
      ofAll,
      [...begun.values()].reduce((sum, more) => sum + more, 0),
    );
  for (const [name, count] of begun)
    // Of whom it is not known any more counts for all alone.
    if (crowds.each && name !== null) await counter.countAtLeast(ofOne(name), count);
  for (const { id, name } of open) {
    const counted: Tallied[] = crowds.all ? [ofAll] : [];
    if (crowds.each && name !== null) counted.push(ofOne(name));
    await counter.note(id, counted);
  }
}

/** What has not ended yet, which nobody changes until the transaction has ended. */
function openIn(
  { kysely }: Within,
  { user, inSandbox, since }: BegunJobs,
): Promise<{ readonly id: string; readonly name: string | null }[]> {
  const open = kysely
    .selectFrom("jobs")
    .select(["id", "in_app_username as name"])
    .where("user", "=", user)
    .where("going_on", "=", GOING_ON)
    .where("state", "in", OPEN_STATES)
    .where("id", ">=", idsFrom(since))
    .where(...paidIn(inSandbox))
    .orderBy("id");
  return locked(kysely, open).execute();
}
