import { sleep, steady } from "../../../common/time.ts";
import type { Logger } from "../../telemetry/telemetry.ts";
import { connectionsTo, withoutPassword } from "./connect.ts";
import { isAway } from "./watched-pool.ts";

/** How long a server is waited for that starts along with Reelay, or is started anew, and how often it is asked, in milliseconds. */
const PATIENCE_MS = { all: 60_000, between: 1_000 } as const;

/**
 * Waits until a PostgreSQL server answers, at most a minute: who starts both at once, or a node during a failover, is not to have it end.
 * One that answers with a refusal is not waited for, and what is wrong with it, or that it never answered, whoever opens it next is told.
 * @param patience how long, and how often it is asked, in milliseconds
 * @throws ConfigError where its driver is not installed
 */
export async function untilAnswering(
  url: string,
  log: Pick<Logger, "warn" | "info">,
  patience: { readonly all: number; readonly between: number } = PATIENCE_MS,
): Promise<void> {
  const { pool } = await connectionsTo(url);
  const until = steady() + patience.all;
  let isToldOf = false;
  try {
    while (!(await answers(() => pool.query("select 1")))) {
      if (steady() >= until) return;
      if (!isToldOf)
        log.warn({ store: withoutPassword(url) }, "The database does not answer yet; it is waited for");
      isToldOf = true;
      await sleep(patience.between);
    }
    if (isToldOf) log.info("The database answers");
  } finally {
    await pool.end();
  }
}

/** Whether it did, be it by a refusal. */
async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    () => true,
    (error: unknown) => !isAway(error),
  );
}
