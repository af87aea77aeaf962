import type { Database } from "../../infrastructure/storage/database.ts";
import { held } from "../../infrastructure/storage/exclusive.ts";
import type { Platform } from "../../seam/values.ts";
import { inMillionths } from "../budgets/budget.ts";
import { correct, type HeldTokens } from "../budgets/spending.ts";
import { twinsInFlight } from "./accepted.ts";
import { isAtService, NOBODY } from "./adopt.ts";
import { after, IllegalTransition, type Job, OPEN_DELIVERIES, type Transition } from "./job.ts";
import { costOf } from "./job-view.ts";
import { changedColumns, fromRow, json, toRow } from "./row.ts";

/** What whoever asked for a job may do with it, in whichever process that is heard of. Everything else is its runner's. */
const ANYBODYS: ReadonlySet<Transition["type"]> = new Set(["cancelled", "redeliver", "woken"]);

/** Who writes steps. */
export interface Writer {
  /** The process that works on the jobs it writes. */
  readonly runner: string;
  /** Whether how a job ended is told there in the database; see `Surface.tellsIn`. */
  readonly tellsInDatabase: (surface: Platform) => boolean;
  /** Jobs that it sees to at the service alone, each with its fence: others tell of them, and nobody has them until they do. */
  readonly others: Map<string, Job["fence"]>;
}

/** Whether whoever writes sees to a job at the service alone. Where another one has it by now, or had it meanwhile, that is over. */
export const isOthers = ({ others }: Pick<Writer, "others">, { id, fence }: Pick<Job, "id" | "fence">) =>
  others.get(id) === fence;

/** After what a job may count for something else in budgets. */
const SETTLING: ReadonlySet<Transition["type"]> = new Set(["accepted", "completed", "failed", "cancelled"]);

/**
 * Whether a step is written together with what it changes in budgets: most jobs cost what was held for them.
 * @throws IllegalTransition when the event does not fit
 */
export const settlesBudgets = (job: Job, event: Transition): boolean =>
  job.held !== null && SETTLING.has(event.type) && heldBy(after(job, event))?.tokens !== job.held.tokens;

/**
 * The job after a step. What is told in the database is being told from its end on, where that may be at once: nothing leaves
 * there before it is written that it was told, and one write less comes before that.
 * @throws IllegalTransition when the event does not fit
 */
export function stepped(
  { tellsInDatabase }: Pick<Writer, "tellsInDatabase">,
  job: Job,
  event: Transition,
): Job {
  const next = after(job, event);
  const mayBeTold = job.delivery === "none" && next.delivery === "due" && next.notBefore === 0;
  // What others may end is its runner's to tell, who has not heard of it.
  const begins = mayBeTold && !ANYBODYS.has(event.type) && tellsInDatabase(job.surface);
  return begins ? after(next, { type: "delivering" }) : next;
}

/** What a job counts for in budgets: what it cost, as far as that is known by now. */
function heldBy(job: Job): HeldTokens | null {
  const cost = costOf(job);
  return job.held === null || cost === null
    ? job.held
    : { entries: job.held.entries, tokens: inMillionths(cost) };
}

/**
 * Writes a step of a job's life, provided that nobody was faster, nor took it over; in a transaction where it
 * {@link settlesBudgets}.
 * @param receipt where the job's message is from now on; as it was unless given
 * @throws IllegalTransition when the event does not fit what is there
 */
export async function writeStep(
  { kysely }: Pick<Database, "kysely">,
  writer: Writer,
  before: Job,
  event: Transition,
  receipt?: Job["receipt"],
): Promise<Job> {
  const { runner } = writer;
  const takes = event.type === "redeliver";
  const next = stepped(writer, before, event);
  const leaves = isOthers(writer, before) && !isAtService(next);
  const settles = settlesBudgets(before, event);
  const job = {
    ...next,
    ...((takes || leaves) && { fence: before.fence + 1 }),
    ...(settles && { held: heldBy(next) }),
  };
  const changed = await kysely
    .updateTable("jobs")
    .set({
      ...changedColumns(before, job),
      ...(receipt !== undefined && { receipt: json(receipt) }),
      ...((takes || leaves) && { runner: takes ? runner : NOBODY, fence: job.fence }),
    })
    .where("id", "=", job.id)
    .where("state", "=", before.state)
    .where("delivery", "=", before.delivery)
    .$if(!ANYBODYS.has(event.type), (own) =>
      own.where("runner", "=", runner).where("fence", "=", before.fence),
    )
    // If both answers were lost, nobody could tell which of two twins the service accepted.
    .$if(event.type === "submitting", (alone) =>
      alone.where((where) => where.not(where.exists(twinsInFlight({ kysely }, job)))),
    )
    .returningAll()
    .execute();
  if (changed.length === 0) throw new IllegalTransition(`${event.type}: the job has changed meanwhile`);
  if (settles) await correct({ kysely }, before.held, job.held);
  return job;
}

/**
 * Writes that a job's outcome is to be told anew, where a change to what is told of it wants that; see `Ledger.retell`.
 * @param database a transaction's
 * @param runner the process that tells it on these `surfaces`
 * @returns what the change says, and what became of the job; undefined for one that is gone
 */
export async function writeRetelling<T extends { readonly retell: boolean }>(
  { kysely }: Pick<Database, "kysely">,
  runner: string,
  id: string,
  surfaces: readonly Platform[],
  change: (transaction: Pick<Database, "kysely">, job: Job) => Promise<T>,
): Promise<
  { readonly outcome: T; readonly change?: { readonly job: Job; readonly before: Job } } | undefined
> {
  const rows = kysely.selectFrom("jobs").selectAll().where("id", "=", id);
  const row = await held(kysely, rows).executeTakeFirst();
  if (!row) return undefined;
  const before = fromRow(row);
  const outcome = await change({ kysely }, before);
  if (!outcome.retell) return { outcome };
  // Whoever is telling it will tell it anew when that has ended: two at once would end in any order.
  const free = !OPEN_DELIVERIES.some((open) => open === before.delivery);
  const job = { ...after(before, { type: "redeliver" }), ...(free && { fence: before.fence + 1 }) };
  const teller = surfaces.includes(job.surface) ? runner : NOBODY;
  await kysely
    .updateTable("jobs")
    .set({ ...toRow(job), ...(free && { runner: teller, fence: job.fence }) })
    .where("id", "=", id)
    .execute();
  return { outcome, change: { job, before } };
}
