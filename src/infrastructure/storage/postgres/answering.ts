import { ConfigError } from "../../../common/config-error.ts";
import { sleep, steady } from "../../../common/time.ts";
import type { Logger } from "../../telemetry/telemetry.ts";
import { withoutPassword } from "./connect.ts";
import { DatabaseAway, isAway } from "./watched-pool.ts";

/** How long a server is waited for that starts along with Reelay, or is started anew, and how often it is asked, in milliseconds. */
const PATIENCE_MS = { all: 60_000, between: 1_000 } as const;

/**
 * Opens what stands on a PostgreSQL server, all of it again while that is away, at most for a minute: who starts both at once, or a
 * node during a failover, is not to have it end. What answers once may be gone again before everything is open.
 * @param open what it leaves open where it throws, it has closed
 * @param patience how long, and how often it is tried, in milliseconds
 * @throws what `open` throws: at once where the server refuses, or where it is not the server that is wrong
 */
export async function openPatiently<T>(
  url: string,
  log: Pick<Logger, "warn" | "info">,
  open: () => Promise<T>,
  patience: { readonly all: number; readonly between: number } = PATIENCE_MS,
): Promise<T> {
  const until = steady() + patience.all;
  for (let isToldOf = false; ; isToldOf = true) {
    try {
      const opened = await open();
      if (isToldOf) log.info("The database answers");
      return opened;
    } catch (error) {
      if (!isOfServerAway(error)) throw error;
      if (!isToldOf)
        log.warn({ store: withoutPassword(url) }, "The database does not answer yet; it is waited for");
      if (steady() >= until) throw error;
      await sleep(patience.between);
    }
  }
}

/** Files may be away, too, or a port taken: that is none of the server's. */
const isOfServerAway = (error: unknown) =>
  error instanceof DatabaseAway || (error instanceof ConfigError && isAway(error.cause));
