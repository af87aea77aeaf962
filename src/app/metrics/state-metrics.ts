import { Gauge, type OpenMetricsContentType, type Registry } from "prom-client";
import { RATE_LIMITS, type RateGroup } from "../../common/contract.ts";
import { isOpen, type Job } from "../../domain/jobs/job.ts";
import { GOING_ON } from "../../domain/jobs/row.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import type { Surface } from "../../seam/surface/surface.ts";

/** What is looked at for what is going on now. */
export interface StateParts {
  readonly database: Pick<Database, "kysely">;
  readonly platforms: () => readonly Pick<Surface, "name" | "ready">[];
}

/**
 * Gauges of what is going on in the database, whichever process works on it, and of this process's platforms. Of keys it tells no more
 * than how full the fullest one's window is.
 * @returns looks anew
 */
export function watchState(
  registry: Registry<OpenMetricsContentType>,
  { database, platforms }: StateParts,
): () => Promise<void> {
  const registers = [registry];
  const gauge = <const L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers });

  const storage = gauge("reelay_storage_up", "Whether the database can be read.");
  const open = gauge(
    "reelay_jobs_open",
    "Jobs that something is still to come of, by state; `untold`: they have ended.",
    "state",
  );
  const oldest = gauge(
    "reelay_jobs_oldest_seconds",
    "How long the oldest of them has been asked for; of `untold` ones, how long ago it ended.",
    "state",
  );
  const webhooks = gauge("reelay_webhooks_due", "Messages to partners that have not arrived.");
  const webhookAge = gauge("reelay_webhooks_oldest_seconds", "How old the oldest of them is.");
  const limits = gauge(
    "reelay_limit_used_ratio",
    "Share of a published rate's window that is taken: of each address that requests leave by, and of the key with the most.",
    "scope",
    "group",
  );
  const connected = gauge("reelay_platform_up", "Whether people reach Reelay on a platform.", "platform");

  const look = async () => {
    const { kysely } = database;
    const now = await dialectOf(kysely).now(kysely);
    const since = (at: number | null) => (at === null ? 0 : Math.max(0, now - at) / 1_000);
    const [jobs, due, windows] = await Promise.all([
      openJobs(database),
      dueWebhooks(database),
      fullWindows(database, now),
    ]);
    for (const each of [open, oldest, limits]) each.reset();
    for (const { state, count, at } of jobs) {
      open.set({ state }, count);
      oldest.set({ state }, since(at));
    }
    webhooks.set(due.count);
    webhookAge.set(since(due.at));
    for (const { scope, group, ratio } of windows) limits.set({ scope, group }, ratio);
  };
  return async () => {
    for (const { name, ready } of platforms().map((one) => ({ name: one.name, ready: one.ready() })))
      connected.set({ platform: name }, ready ? 1 : 0);
    try {
      await look();
      storage.set(1);
    } catch {
      // What was seen before would pass for what is.
      for (const each of [open, oldest, limits, webhooks, webhookAge]) each.reset();
      storage.set(0);
    }
  };
}

/** A state that jobs are in, for people who look at many. */
type OpenState = Job["state"] | "untold";

async function openJobs({ kysely }: Pick<Database, "kysely">) {
  const rows = await kysely
    .selectFrom("jobs")
    .select(({ fn }) => [
      "state",
      fn.countAll<number>().as("count"),
      fn.min("created_at").as("created"),
      fn.min("ended_at").as("ended"),
    ])
    .where("going_on", "=", GOING_ON)
    .groupBy("state")
    .execute();
  const states = new Map<OpenState, { count: number; at: number | null }>();
  for (const row of rows) {
    const isOver = !isOpen(row.state as Job["state"]);
    const state = isOver ? "untold" : (row.state as Job["state"]);
    const at = isOver ? row.ended : row.created;
    const known = states.get(state);
    states.set(state, {
      count: (known?.count ?? 0) + row.count,
      at: known?.at == null || at === null ? (known?.at ?? at) : Math.min(known.at, at),
    });
  }
  return [...states].map(([state, { count, at }]) => ({ state, count, at }));
}

function dueWebhooks({ kysely }: Pick<Database, "kysely">) {
  return kysely
    .selectFrom("webhook_deliveries")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("created_at").as("at")])
    .where("next_at", "is not", null)
    .executeTakeFirstOrThrow();
}

async function fullWindows({ kysely }: Pick<Database, "kysely">, now: number) {
  const rows = await kysely
    .selectFrom("rate_slots")
    .select(({ fn }) => ["scope", "rate_group", fn.countAll<number>().as("count")])
    .where("until", ">=", now)
    .groupBy(["scope", "rate_group"])
    .execute();
  const windows = new Map<string, { scope: string; group: RateGroup; ratio: number }>();
  for (const { scope: whose, rate_group, count } of rows) {
    const group = rate_group as RateGroup;
    const scope = whose.startsWith("key:") ? "key" : whose;
    if (scope !== "key" && !scope.startsWith("egress:")) continue;
    const ratio = Math.max(count / RATE_LIMITS[group], windows.get(`${scope} ${group}`)?.ratio ?? 0);
    windows.set(`${scope} ${group}`, { scope, group, ratio });
  }
  return windows.values();
}
