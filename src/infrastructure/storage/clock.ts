import { sql } from "kysely";
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

/** What the service does, or may do, for a job. */
const AT_SERVICE = ["submitting", "unsure", "running"];

/** What tells when something was charged. */
const CHARGED = ["submitted_at", "lost_at", "accepted_at"] as const;

/**
 * Keeps the time, and notices where the clock was set back since: by NTP, with a virtual machine, while this process ran or
 * before. From then on what waits for a time waits no longer than it would have, and what is judged by times is judged by those
 * of one clock: jobs at the service seem to have got there by now at the latest, those that ended no longer say when they were
 * sent, where that may seem to be later than what is sent from now on, and what an account's numbers were before an open
 * submission is forgotten. Everything else that happened keeps its time: this clock may be the wrong one.
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

/** When it was last noticed that the clock had been set back, in milliseconds since 1970; 0: never. */
export async function clockSetBackAt(database: Pick<Database, "kysely">): Promise<number> {
  return (await keptTime(database)).setBackAt;
}

/** By how much the clock is behind what was kept last, in milliseconds: nobody has noticed yet that it was set back. */
export async function clockBehind(database: Pick<Database, "kysely">): Promise<number> {
  const { kysely } = database;
  return Math.max(0, (await keptTime(database)).last - (await dialectOf(kysely).now(kysely)));
}

async function setBack({ kysely }: Pick<Database, "kysely">, now: number, by: number): Promise<void> {
  const atMostNow = (column: (typeof CHARGED)[number]) =>
    sql<number>`case when ${sql.ref(column)} > ${now} then ${now} else ${sql.ref(column)} end`;
  await kysely
    .updateTable("jobs")
    .set(Object.fromEntries(CHARGED.map((column) => [column, atMostNow(column)])))
    .where("state", "in", AT_SERVICE)
    .execute();
  await kysely
    .updateTable("jobs")
    .set({ submitted_at: null })
    .where("state", "not in", AT_SERVICE)
    .where("accepted_at", "is not", null)
    .where((where) => where.or([where("accepted_at", ">", now), where("ended_at", ">", now)]))
    .execute();
  await kysely
    .updateTable("jobs")
    .set({ before: null })
    .where("state", "in", ["submitting", "unsure"])
    .execute();
  await kysely
    .updateTable("jobs")
    .set(({ eb }) => ({ not_before: eb("not_before", "-", by) }))
    .where("not_before", ">", now)
    .execute();
  await kysely
    .updateTable("webhook_deliveries")
    .set(({ eb }) => ({ next_at: eb("next_at", "-", by) }))
    .where("next_at", ">", now)
    .execute();
  for (const notices of ["report_notices", "left_notices"] as const)
    await kysely
      .updateTable(notices)
      .set(({ eb }) => ({ next_at: eb("next_at", "-", by) }))
      .where("next_at", ">", now)
      .execute();
}
