import { Gauge, type OpenMetricsContentType, type Registry } from "prom-client";
import { dueWebhooks, fullWindows, openJobs, summed } from "../../domain/operators/going-on.ts";
import { statesOf } from "../../domain/budgets/spending.ts";
import { type BudgetSetting, budgetsOfKey } from "../../domain/policy/budgets.ts";
import type { Transport } from "../../infrastructure/api/media-api.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import type { Surface } from "../../seam/surface/surface.ts";

/** What is looked at for what is going on now. */
export interface StateParts {
  readonly database: Pick<Database, "kysely">;
  readonly platforms: () => readonly Pick<Surface, "name" | "ready">[];
  /** The addresses that this process's requests leave by. */
  readonly egresses: () => Transport["egresses"];
  /** What all may spend together with the operator's key, as it is by now. */
  readonly budgets: () => BudgetSetting;
}

/**
 * Gauges of what is going on in the database, whichever process works on it, and of this process's platforms and connections. Of keys it
 * tells no more than how full the fullest one's window is.
 * @returns looks anew
 */
export function watchState(
  registry: Registry<OpenMetricsContentType>,
  { database, platforms, egresses, budgets }: StateParts,
): () => Promise<void> {
  const registers = [registry];
  const gauge = <const L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers });

  const storage = gauge("reelay_storage_up", "Whether the database can be read.");
  const open = gauge(
    "reelay_jobs_open",
    "Open jobs, by state; `untold`: they have ended, and their people have not been told.",
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
  const spent = gauge(
    "reelay_budget_used_ratio",
    "Share of a budget of your key that is spent, with what is held for jobs that are going on.",
    "period",
  );
  const leftBy = gauge(
    "reelay_egress_up",
    "Whether an address that requests leave by can be left by, and the service answers there, as was last seen.",
    "egress",
  );
  const connected = gauge("reelay_platform_up", "Whether people reach Reelay on a platform.", "platform");

  const look = async () => {
    const { kysely } = database;
    const now = await dialectOf(kysely).now(kysely);
    const since = (at: number | null) => (at === null ? 0 : Math.max(0, now - at) / 1_000);
    const [jobs, due, windows, states] = await Promise.all([
      openJobs(database),
      dueWebhooks(database),
      fullWindows(database, now),
      statesOf(database, budgetsOfKey(budgets()), now),
    ]);
    for (const each of [open, oldest, limits, spent]) each.reset();
    for (const [state, { count, at }] of summed(jobs, ({ place }) => place)) {
      open.set({ state }, count);
      oldest.set({ state }, since(at));
    }
    webhooks.set(due.count);
    webhookAge.set(since(due.at));
    for (const { scope, group, used, limit } of windows) limits.set({ scope, group }, used / limit);
    // Of a budget of nothing all is spent.
    for (const state of states)
      spent.set({ period: state.period }, state.max === 0 ? 1 : state.spent / state.max);
  };
  return async () => {
    for (const { name, ready } of platforms().map((one) => ({ name: one.name, ready: one.ready() })))
      connected.set({ platform: name }, ready ? 1 : 0);
    for (const { name, isAway } of egresses()) leftBy.set({ egress: name }, isAway ? 0 : 1);
    try {
      await look();
      storage.set(1);
    } catch {
      // What was seen before would pass for what is.
      for (const each of [open, oldest, limits, spent, webhooks, webhookAge]) each.reset();
      storage.set(0);
    }
  };
}
