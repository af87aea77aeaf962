import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import { dialectOf } from "./dialect.ts";
import { exclusive } from "./exclusive.ts";
import { memory } from "./key-value.ts";

/** What is kept of the machine's clock, which all who share a data folder share as well. Milliseconds since 1970. */
interface KeptTime {
  /** When a process last showed that it lives. */
  readonly last: number;
  /** When it was last noticed that the clock had been set back, by the clock as it was then; 0: never. */
  readonly setBackAt: number;
}

/** By so much the clocks of two processes may differ, in milliseconds: some systems give each its own reckoning. */
const TOLERANCE_MS = 1_000;

const NEVER: KeptTime = { last: 0, setBackAt: 0 };

const kept = (database: Pick<Database, "kysely">) => memory(database, "clock");

async function keptTime(database: Pick<Database, "kysely">): Promise<KeptTime> {
  return (await kept(database).get<KeptTime>("time")) ?? NEVER;
}

/** What happened to jobs, in the order of their lives. */
const MOMENTS = [
  "created_at",
  "submitted_at",
  "released_at",
  "lost_at",
  "accepted_at",
  "read_at",
  "ended_at",
  "delivered_at",
] as const;

/**
 * Keeps the time, and notices where the clock was set back since: by NTP, with a virtual machine, while this process ran or
 * before. From then on no moment of a job lies in the future, so that all that happens later is later, and what waits for a time
 * waits no longer than it would have. An account's numbers that were read before a submission whose outcome is open are
 * forgotten: what they are compared with is told apart by time, and nothing is proven with two clocks.
 * @returns by how much it was set back, as far as can be told, in milliseconds; 0: it was not
 */
export function keepTime({ kysely }: Pick<Database, "kysely">): Promise<number> {
  return exclusive(kysely, ["kv:clock/time"], async (within) => {
    const { last, setBackAt } = await keptTime({ kysely: within });
    const now = await dialectOf(within).now(within);
    const by = last - now;
    if (by <= TOLERANCE_MS) {
      await kept({ kysely: within }).set("time", { last: Math.max(last, now), setBackAt });
      return 0;
    }
    await setBack({ kysely: within }, now, by);
    await kept({ kysely: within }).set("time", { last: now, setBackAt: now });
    return by;
  });
}

/** When it was last noticed that the clock had been set back: whatever happened before that is not later. 0: never. */
export async function clockSetBackAt(database: Pick<Database, "kysely">): Promise<number> {
  return (await keptTime(database)).setBackAt;
}

/** By how much the clock is behind what was kept last, in milliseconds: nobody has noticed yet that it was set back. */
export async function clockBehind(database: Pick<Database, "kysely">): Promise<number> {
  const { kysely } = database;
  return Math.max(0, (await keptTime(database)).last - (await dialectOf(kysely).now(kysely)));
}

async function setBack({ kysely }: Pick<Database, "kysely">, now: number, by: number): Promise<void> {
  const columns = [...MOMENTS, "not_before"] as const;
  const unlessLater = (column: (typeof columns)[number], then: number | RawBuilder<unknown>) =>
    sql<number>`case when ${sql.ref(column)} > ${now} then ${then} else ${sql.ref(column)} end`;
  await kysely
    .updateTable("jobs")
    .set({
      ...Object.fromEntries(MOMENTS.map((moment) => [moment, unlessLater(moment, now)])),
      not_before: unlessLater("not_before", sql`not_before - ${by}`),
    })
    .where((where) => where.or(columns.map((column) => where(column, ">", now))))
    .execute();
  await kysely
    .updateTable("jobs")
    .set({ before: null })
    .where("state", "in", ["submitting", "unsure"])
    .execute();
  await kysely
    .updateTable("webhook_deliveries")
    .set(({ eb }) => ({ next_at: eb("next_at", "-", by) }))
    .where("next_at", ">", now)
    .execute();
  await kysely
    .updateTable("reported")
    .set(({ eb }) => ({ next_at: eb("next_at", "-", by) }))
    .where("next_at", ">", now)
    .execute();
}
