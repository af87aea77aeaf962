import { idsFrom } from "../../common/ids.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { atomically } from "../../infrastructure/storage/exclusive.ts";
import { partnerIdOf } from "../../seam/access/partners.ts";
import { endOf, entryOf, inMillionths, startOf, type TokenBudget } from "../budgets/budget.ts";
import { addSpent, type HeldTokens, type Spent } from "../budgets/spending.ts";
import type { Job } from "../jobs/job.ts";
import { costOf } from "../jobs/job-view.ts";
import { fromRow } from "../jobs/row.ts";
import { budgetsOfKey, budgetsOfPartner, budgetsOfPerson } from "./budgets.ts";

/** Jobs counted at once: no transaction keeps others waiting for longer than a few hundredths of a second. */
const BATCH = 200;

const ENDED = ["completed", "failed", "cancelled"] as const satisfies readonly Job["state"][];

/** Nothing is set: what is spent is counted all the same. */
const UNSET = { person: {}, chat: {}, key: {}, warnAt: undefined };

/**
 * Counts in budgets what jobs cost that a version from before budgets wrote, in the day and the month that go on. One that is still
 * going on is counted once it has ended, for it says nothing of what it is expected to cost.
 * @param isOperators whether a job is paid by a key of the operator's; which that version did not write down
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export async function countEarlier(
  database: Pick<Database, "kysely">,
  isOperators: (job: Job) => Promise<boolean>,
  now: number,
): Promise<number> {
  for (let count = 0; ;) {
    const rows = await database.kysely
      .selectFrom("jobs")
      .selectAll()
      .where("paid_by", "is", null)
      .where("held", "is", null)
      .where("id", ">", idsFrom(startOf("month", now)))
      .where("state", "in", ENDED)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return count;
    const jobs = await Promise.all(
      rows.map(fromRow).map(async (job) => spendingOf(job, await isOperators(job), now)),
    );
    await atomically(database.kysely, (kysely) => countOnce({ kysely }, jobs));
    count += rows.length;
  }
}

/** What a job is counted for, where. */
interface Earlier {
  readonly id: string;
  readonly held: HeldTokens;
  readonly spent: readonly Spent[];
}

function spendingOf(job: Job, isOperators: boolean, now: number): Earlier {
  const { createdAt: at } = job;
  const tokens = inMillionths(costOf(job) ?? 0);
  const spent = budgetsOf(job, isOperators)
    .map((budget) => ({ entry: entryOf(budget, at), until: endOf(budget.period, at), tokens }))
    .filter(({ until }) => until > now);
  return { id: job.id, held: { tokens, entries: spent.map(({ entry }) => entry) }, spent };
}

/** Where a group's key may have paid: under another key than the group's, it is in nobody's way. */
function budgetsOf({ user, chat, keyId, tags }: Job, isOperators: boolean): readonly TokenBudget[] {
  const id = partnerIdOf(user);
  if (id === undefined)
    return budgetsOfPerson({ user, chat }, { source: isOperators ? "operator" : "group", keyId }, {}, UNSET);
  const partner = budgetsOfPartner({ id, caps: {}, userCaps: {} }, tags.inAppUsername, false);
  return isOperators ? [...partner, ...budgetsOfKey({})] : partner;
}

/** Of several who find the same job, one counts it. */
async function countOnce(within: Pick<Database, "kysely">, jobs: readonly Earlier[]): Promise<void> {
  const counted: Spent[] = [];
  for (const { id, held, spent } of jobs) {
    const { numUpdatedRows } = await within.kysely
      .updateTable("jobs")
      .set({ held: JSON.stringify(held) })
      .where("id", "=", id)
      .where("held", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) counted.push(...spent);
  }
  await addSpent(within, counted);
}
