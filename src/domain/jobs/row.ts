import { type Selectable, sql } from "kysely";
import type { ChatId, Platform, Tags, UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import type { JobsTable } from "../../infrastructure/storage/schema.ts";
import { IllegalTransition, type Job, OPEN_DELIVERIES } from "./job.ts";

/** As `going_on` is written in queries: SQLite plans with a partial index at once where it sees the value. */
export const GOING_ON = sql.lit(1);

/** What told nobody, as the index of it is written; see {@link GOING_ON}. */
export const UNDELIVERABLE = sql.lit("undeliverable");

/** What is still to be told, as the index of it is written, which has all in it that is asked of thousands; see {@link GOING_ON}. */
export const UNDELIVERED = sql<boolean>`delivery in (${sql.join(OPEN_DELIVERIES.map((state) => sql.lit(state)))})`;

/** What came to nothing, as the index of it is written; see {@link GOING_ON}. */
export const CAME_TO_NOTHING = sql<boolean>`(state in ('failed', 'cancelled') or delivery = 'undeliverable')`;

/** A job's id where it is only compared or sorted by: an index by it would be one of all that somebody ever asked for. */
export const ID_UNINDEXED = sql<string>`coalesce(id, '')`;

/**
 * When a job that has ended was accepted or ended, whichever was later, as the index of it is written: by the clocks of two processes, it
 * may have ended before it was accepted.
 */
export const LAST_AT = sql<number>`case when accepted_at > ended_at then accepted_at else ended_at end`;

/** What a column holds of a value that is no scalar. */
export const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** A job as the ledger keeps it; who works on it and where its message is are no part of it. */
export function toRow(job: Job) {
  return {
    id: job.id,
    user: job.user,
    chat: job.chat,
    surface: job.surface,
    address: JSON.stringify(job.address),
    platform: job.tags.platform,
    in_app_username: job.tags.inAppUsername,
    request: job.request,
    key_id: job.keyId,
    host: job.host,
    operation: job.operation,
    input: JSON.stringify(job.values),
    fingerprint: job.fingerprint,
    mature: job.mature ? 1 : 0,
    state: job.state,
    delivery: job.delivery,
    service_id: job.serviceId,
    cost: job.cost,
    balance: job.balance,
    before: json(job.before),
    progress: job.progress,
    result: json(job.result),
    error: json(job.error),
    awaits: job.awaits,
    created_at: job.createdAt,
    submitted_at: job.submittedAt,
    lost_at: job.lostAt,
    released_at: job.releasedAt,
    accepted_at: job.acceptedAt,
    ended_at: job.endedAt,
    delivered_at: job.deliveredAt,
    not_before: job.notBefore,
    attempts: job.attempts,
    held: json(job.held),
  };
}

/**
 * What is to be written of a job that was read, or written, as another: SQLite writes every index anew that a statement names a
 * column of, changed or not. The state is always among it, so that a statement is never empty.
 */
export function changedColumns(before: Job, job: Job): Partial<ReturnType<typeof toRow>> {
  const [old, row] = [toRow(before), toRow(job)];
  const changed = Object.entries(row).filter(([name, value]) => old[name as keyof typeof old] !== value);
  return { state: row.state, ...Object.fromEntries(changed) };
}

/** A new job's row: with what is no part of the job, too. */
type NewRow = ReturnType<typeof toRow> & {
  readonly runner: string;
  readonly press: string | null;
  readonly traits: string | null;
  readonly receipt: string | null;
  readonly paid_by: string | null;
};

/** The job of a row. */
export function fromRow(row: Selectable<JobsTable>): Job {
  return {
    id: row.id,
    user: row.user as UserId,
    chat: row.chat as ChatId | null,
    surface: row.surface as Platform,
    address: JSON.parse(row.address),
    // Filled in by `Tagger` where an earlier version wrote the row.
    tags: { platform: row.platform, inAppUsername: row.in_app_username } as Tags,
    request: row.request,
    keyId: row.key_id,
    host: row.host as Job["host"],
    operation: row.operation,
    values: JSON.parse(row.input),
    fingerprint: row.fingerprint,
    mature: row.mature === 1,
    state: row.state as Job["state"],
    delivery: row.delivery as Job["delivery"],
    serviceId: row.service_id,
    cost: row.cost,
    balance: row.balance,
    before: row.before === null ? null : JSON.parse(row.before),
    progress: row.progress,
    result: row.result === null ? null : JSON.parse(row.result),
    error: row.error === null ? null : JSON.parse(row.error),
    awaits: row.awaits as Job["awaits"],
    receipt: row.receipt === null ? null : JSON.parse(row.receipt),
    createdAt: row.created_at,
    submittedAt: row.submitted_at,
    lostAt: row.lost_at,
    releasedAt: row.released_at,
    acceptedAt: row.accepted_at,
    endedAt: row.ended_at,
    deliveredAt: row.delivered_at,
    notBefore: row.not_before,
    attempts: row.attempts,
    fence: row.fence,
    held: row.held === null ? null : JSON.parse(row.held),
  };
}

/** The row of a job, which is kept in mind: whatever changes one returns it. */
export function rowOf(
  { kysely, reads }: Pick<Database, "kysely" | "reads">,
  id: string,
): Promise<Selectable<JobsTable> | undefined> {
  return reads.get("jobs", id, async () => (await selectRow(kysely, { id })).rows[0]);
}

const selectRow = prepared((db, { id }: { readonly id: string }) =>
  db.selectFrom("jobs").selectAll().where("id", "=", id),
);

/** Writes the row of a new job. */
export const insertRow = prepared((db, row: NewRow) => db.insertInto("jobs").values(row).returningAll());

/**
 * Writes where a job's message is.
 * @param by who works on it
 * @throws IllegalTransition where another process works on it, or it is gone
 */
export async function writeReceipt(
  { kysely }: Pick<Database, "kysely">,
  id: string,
  receipt: Job["receipt"],
  { runner, fence }: { readonly runner: string; readonly fence: number },
): Promise<void> {
  const [row] = await kysely
    .updateTable("jobs")
    .set({ receipt: json(receipt) })
    .where("id", "=", id)
    .where("runner", "=", runner)
    .where("fence", "=", fence)
    .returningAll()
    .execute();
  if (!row) throw new IllegalTransition("receipt: the job was taken over or erased");
}
