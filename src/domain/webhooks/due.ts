import { sql } from "kysely";
import type { Attempt } from "../../seam/access/webhooks.ts";
import type { EventType } from "../../seam/events.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import type { Receiver } from "./places.ts";
import type { Fate } from "./schedule.ts";

/** A step on the way, as the index of those events is written: SQLite finds it by that. */
export const PROGRESS = sql.lit("job.progress" satisfies EventType);

/** How many attempts are kept of one message: as many as three runs of the schedule take. */
const ATTEMPTS_KEPT = 30;

/** The next message for a receiver. */
export interface Due extends Receiver {
  readonly seq: number;
  /** Since when it may be sent, in milliseconds since 1970. */
  readonly next_at: number;
}

/**
 * The next message of each receiver that one is due for: first those that were never tried. It leaps from one receiver to
 * the next in the index, so that it takes as long as there are receivers, however many messages wait for them.
 */
export async function dueIn(db: Database["kysely"], now: number): Promise<readonly Due[]> {
  const first = (retried: 0 | 1) => sql`
    (select seq from webhook_deliveries
      where next_at is not null and receiver = receivers.name and retried = ${sql.lit(retried)} and next_at <= ${now}
      order by next_at limit 1)`;
  const { rows } = await sql<Due>`
    with recursive receivers (name) as (
      select (select receiver from webhook_deliveries where next_at is not null order by receiver limit 1)
      union all
      select (select receiver from webhook_deliveries
        where next_at is not null and receiver > receivers.name order by receiver limit 1)
      from receivers where receivers.name is not null
    )
    select due.seq, due.user, due.receiver, due.next_at
    from receivers join webhook_deliveries as due on due.seq = coalesce(${first(0)}, ${first(1)})
  `.execute(db);
  return rows;
}

/** Writes what a try came to, in one statement, and once. What was dropped meanwhile stays dropped, unless it arrived. */
export async function settleIn(
  db: Database["kysely"],
  id: string,
  attempt: Attempt,
  fate: Exclude<Fate, { readonly state: "gone" }> | { readonly state: "dropped" },
): Promise<void> {
  const arrived = Number(fate.state === "delivered");
  const nextAt = fate.state === "due" ? fate.nextAt : null;
  const isOver = fate.state === "due" ? sql`state != 'due'` : sql`1 = 1`;
  const { json } = dialectOf(db);
  const [made, attempts] = [json.value(attempt), sql`attempts`];
  await sql`
    update webhook_deliveries set
      state = case when state = 'due' or ${arrived} = 1 then ${fate.state} else state end,
      attempts = ${json.append(
        sql`case when ${json.length(attempts)} < ${ATTEMPTS_KEPT} then attempts else ${json.rest(attempts)} end`,
        made,
      )},
      -- Of one that has arrived nobody asks it.
      failures = failures + 1,
      next_at = case when state = 'due' then cast(${nextAt} as bigint) end,
      -- There are many of them, each as large as its job, and nobody wants one again.
      body = case when type = 'job.progress' and ${isOver} then null else body end
    -- It may be there although the disk said that it is not.
    where id = ${id} and ${json.last(attempts)} is distinct from ${made}
  `.execute(db);
}
