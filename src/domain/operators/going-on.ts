import { RATE_LIMITS, type RateGroup } from "../../common/contract.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { FullWindow, OpenPlace } from "../../seam/access/console.ts";
import type { Attempt } from "../../seam/access/webhooks.ts";
import type { UserId } from "../../seam/values.ts";
import { isOpen, type Job } from "../jobs/job.ts";
import { GOING_ON } from "../jobs/row.ts";
import { OPERATOR } from "../webhooks/deliveries.ts";

type Storage = Pick<Database, "kysely">;

/** How many there are, and since when the oldest waits, in milliseconds since 1970; null where that is not known. */
interface Count {
  readonly count: number;
  readonly at: number | null;
}

/** Somebody's jobs of one kind in one place. */
interface OpenJobs extends Count {
  readonly user: UserId;
  readonly operation: string;
  readonly place: OpenPlace;
}

/** Jobs that something is still to come of, whichever process works on them. */
export async function openJobs({ kysely }: Storage): Promise<readonly OpenJobs[]> {
  const rows = await kysely
    .selectFrom("jobs")
    .select(({ fn }) => [
      "user",
      "operation",
      "state",
      fn.countAll<number>().as("count"),
      fn.min("created_at").as("created"),
      fn.min("ended_at").as("ended"),
    ])
    .where("going_on", "=", GOING_ON)
    .groupBy(["user", "operation", "state"])
    .execute();
  return rows.map(({ user, operation, state, count, created, ended }) => {
    const isOver = !isOpen(state as Job["state"]);
    const place = isOver ? "untold" : (state as OpenPlace);
    return { user: user as UserId, operation, place, count, at: isOver ? ended : created };
  });
}

/** Counts of those that are one kind together. */
export function summed<T extends Count, K extends string>(
  counts: readonly T[],
  kindOf: (count: T) => K,
): ReadonlyMap<K, Count> {
  const sums = new Map<K, Count>();
  for (const one of counts) {
    const { count, at } = sums.get(kindOf(one)) ?? { count: 0, at: null };
    const oldest = at === null || one.at === null ? (at ?? one.at) : Math.min(at, one.at);
    sums.set(kindOf(one), { count: count + one.count, at: oldest });
  }
  return sums;
}

/** Messages to partners that have not arrived. */
export function dueWebhooks({ kysely }: Storage): Promise<Count> {
  return kysely
    .selectFrom("webhook_deliveries")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("created_at").as("at")])
    .where("next_at", "is not", null)
    .executeTakeFirstOrThrow();
}

/** As many of the newest messages as are looked through for those that were given up: it is looked every second. */
const NEWEST_MESSAGES = 200;

/** At how many addresses that are still there the newest message was given up: tried in vain for days, or unwanted there (410). */
export async function givenUpAt({ kysely }: Storage): Promise<number> {
  const [newest, endpoints] = await Promise.all([
    kysely
      .selectFrom("webhook_deliveries")
      .select(["endpoint", "url", "state", "attempts"])
      .where("user", "!=", OPERATOR)
      .orderBy("seq", "desc")
      .limit(NEWEST_MESSAGES)
      .execute(),
    kysely.selectFrom("webhook_endpoints").select(["id", "url", "disabled_because"]).execute(),
  ]);
  const there = new Set(endpoints.map(({ id, url }) => `${id} ${url}`));
  const gone = endpoints.filter(({ disabled_because: why }) => why === "gone");
  const givenUp = new Set(gone.map(({ id, url }) => `${id} ${url}`));
  const seen = new Set<string>();
  for (const { endpoint, url, state, attempts } of newest) {
    const address = `${endpoint ?? ""} ${url}`;
    if (seen.has(address) || (endpoint !== null && !there.has(address))) continue;
    seen.add(address);
    const { status } = (JSON.parse(attempts) as Attempt[]).at(-1) ?? {};
    if (state === "failed" || (state === "dropped" && status === 410)) givenUp.add(address);
  }
  return givenUp.size;
}

/**
 * How full the windows of published rates are: of each address that requests leave by, and of the key with the most, of which no
 * more is told.
 * @param now by the database's clock, in milliseconds since 1970
 */
export async function fullWindows({ kysely }: Storage, now: number): Promise<readonly FullWindow[]> {
  const rows = await kysely
    .selectFrom("rate_slots")
    .select(({ fn }) => ["scope", "rate_group", fn.countAll<number>().as("count")])
    .where("until", ">=", now)
    .groupBy(["scope", "rate_group"])
    .execute();
  const windows = new Map<string, FullWindow>();
  for (const { scope: whose, rate_group, count } of rows) {
    const group = rate_group as RateGroup;
    const scope = whose.startsWith("key:") ? "key" : whose;
    if (scope !== "key" && !scope.startsWith("egress:")) continue;
    const used = Math.max(count, windows.get(`${scope} ${group}`)?.used ?? 0);
    windows.set(`${scope} ${group}`, { scope, group, used, limit: RATE_LIMITS[group] });
  }
  return [...windows.values()];
}
