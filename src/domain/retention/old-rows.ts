import { eraseJobs } from "../jobs/erase.ts";
import { GOING_ON } from "../jobs/row.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { atomically, claimed, exclusive } from "../../infrastructure/storage/exclusive.ts";
import type { RetentionPlan } from "./plan.ts";

/** Rows erased at once: no transaction keeps others waiting for longer than a few hundredths of a second. */
const BATCH = 200;

/** Erases one batch of what is old. @returns how many that were; 0: nothing is left */
export type EraseBatch = (database: Pick<Database, "kysely">) => Promise<number>;

/**
 * Jobs that have ended and whose people were told before a time. One that waits to be delivered, or that its person never
 * saw, is not among them; one that was shown again counts from then.
 */
const toldJobs =
  (before: number): EraseBatch =>
  ({ kysely }) =>
    exclusive(kysely, ["erasing"], async (within) => {
      const old = within
        .selectFrom("jobs")
        .select("id")
        .where("delivered_at", "<", before)
        // Unlike "= 0" it does not lead SQLite to an index of what goes on.
        .where("going_on", "!=", GOING_ON)
        .orderBy("delivered_at")
        .limit(BATCH);
      const ids = (await claimed(within, old).execute()).map(({ id }) => id);
      await eraseJobs({ kysely: within }, "id", ids);
      await within.deleteFrom("job_events").where("job", "in", ids).execute();
      await within
        .deleteFrom("webhook_deliveries")
        .where("job", "in", ids)
        .where("state", "!=", "due")
        .execute();
      return ids.length;
    });

/** What was sent to partners' endpoints before a time; what is still to be sent stays. */
const oldDeliveries =
  (before: number): EraseBatch =>
  async ({ kysely }) => {
    const { numDeletedRows } = await kysely
      .deleteFrom("webhook_deliveries")
      .where("seq", "in", (old) =>
        old
          .selectFrom("webhook_deliveries")
          .select("seq")
          .where("created_at", "<", before)
          .where("state", "!=", "due")
          .limit(BATCH),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

/** The words and choices in the audit from before a time; that something was decided stays. */
const oldInputs =
  (before: number): EraseBatch =>
  async ({ kysely }) => {
    const { numUpdatedRows } = await kysely
      .updateTable("audit")
      .set({ content: null })
      .where("id", "in", (old) =>
        old
          .selectFrom("audit")
          .select("id")
          .where("at", "<", before)
          .where("content", "is not", null)
          .limit(BATCH),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  };

/** Lines of the audit from before a time. */
const oldLines =
  (before: number): EraseBatch =>
  async ({ kysely }) => {
    const { numDeletedRows } = await kysely
      .deleteFrom("audit")
      .where("id", "in", (old) => old.selectFrom("audit").select("id").where("at", "<", before).limit(BATCH))
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

/** Those who ran Reelay and were removed before a time: no line of the audit names them any more. */
const oldOperators =
  (before: number): EraseBatch =>
  async ({ kysely }) => {
    const { numDeletedRows } = await kysely
      .deleteFrom("operators")
      .where("removed_at", "<", before)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

/** Names in the sums of erased jobs from before a day, as YYYY-MM-DD (UTC). */
const oldNames =
  (before: string): EraseBatch =>
  async ({ kysely }) => {
    const { numUpdatedRows } = await kysely
      .updateTable("erased_jobs")
      .set({ user: null, in_app_username: null })
      .where("rowid", "in", (named) =>
        named
          .selectFrom("erased_jobs")
          .select("rowid")
          .where("day", "<", before)
          .where("in_app_username", "is not", null)
          .limit(BATCH),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  };

/** What is known of pictures that were made before a time. */
export const oldPictures =
  (before: number): EraseBatch =>
  async ({ kysely }) => {
    let count = 0;
    for (const table of ["made_pictures", "examined_pictures"] as const) {
      const { numDeletedRows } = await kysely
        .deleteFrom(table)
        .where("digest", "in", (old) =>
          old.selectFrom(table).select("digest").where("at", "<", before).limit(BATCH),
        )
        .where("at", "<", before)
        .executeTakeFirst();
      count += Number(numDeletedRows);
    }
    return count;
  };

/** For how long it is kept what was spent of a budget whose period is over, in milliseconds: a clock may be set back into it. */
const SPENT_KEPT_MS = 2 * 24 * 3_600_000;

/** What was spent of budgets in days and months that are over. */
const oldSpending =
  (now: number): EraseBatch =>
  ({ kysely }) =>
    atomically(kysely, async (within) => {
      // What is being corrected at this moment goes the next time.
      const over = within
        .selectFrom("spent")
        .select("entry")
        .where("until", "<=", now - SPENT_KEPT_MS);
      const entries = (await claimed(within, over.limit(BATCH)).execute()).map(({ entry }) => entry);
      await within.deleteFrom("spent").where("entry", "in", entries).execute();
      return entries.length;
    });

/** Entries whose time is over: they are read no more, and go with the next one that is written, or here. */
const expiredEntries =
  (now: number): EraseBatch =>
  async ({ kysely }) => {
    const { numDeletedRows } = await kysely
      .deleteFrom("kv")
      .where("expires_at", "<=", now)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

/** What there is to erase, in the order in which it goes, by the words of the log. */
export function oldRows({ jobs, audit, usage }: RetentionPlan, now: number): [string, EraseBatch][] {
  return [
    ["entries", expiredEntries(now)],
    ["budgets", oldSpending(now)],
    ...(jobs === undefined
      ? []
      : ([
          ["jobs", toldJobs(jobs)],
          ["webhooks", oldDeliveries(jobs)],
          ["inputs", oldInputs(jobs)],
          ["pictures", oldPictures(jobs)],
        ] satisfies [string, EraseBatch][])),
    ...(audit === undefined
      ? []
      : ([
          ["lines", oldLines(audit)],
          ["operators", oldOperators(audit)],
        ] satisfies [string, EraseBatch][])),
    ...(usage === undefined ? [] : ([["names", oldNames(usage)]] satisfies [string, EraseBatch][])),
  ];
}
