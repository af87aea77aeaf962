import {
  ApiError,
  type Egress,
  Transport,
  type TransportOptions,
} from "../../infrastructure/api/media-api.ts";
import { Limiter } from "../../infrastructure/queue/limiter.ts";
import { WindowLog } from "../../infrastructure/queue/window-log.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { type Logger, scrub } from "../../infrastructure/telemetry/telemetry.ts";
import { secretOf } from "../settings/egress.ts";

/** What of the settings says how the service is reached. */
export interface Reaching {
  /** Undefined: the built-in sandbox is. */
  readonly apiUrl: string | undefined;
  readonly egresses: readonly Egress[];
}

/** Connections that leave by the addresses of the settings. @param log hears of those that cannot be left by; left out, nobody does */
export function transportOf(
  config: Reaching,
  options: Omit<TransportOptions, "egresses" | "onEgress"> = {},
  log?: Logger,
): Transport {
  const egresses = leftBy(config);
  for (const egress of egresses) {
    const secret = secretOf(egress);
    if (secret !== undefined) scrub.register(secret);
  }
  return new Transport({
    ...options,
    egresses,
    onEgress: (egress, err) => {
      // Of one alone, what fails says so.
      if (egresses.length === 1) return;
      if (err instanceof ApiError)
        log?.warn({ egress, err }, "What answers by this address is not the service; it is passed over");
      else if (err)
        log?.warn({ egress, err }, "No connection can be made by this address; it is passed over");
      else log?.info({ egress }, "This address can be left by again");
    },
  });
}

/** The published rates, of each of these addresses. */
export function limiterOf(
  config: Pick<Reaching, "egresses"> & { readonly rateWindowMs: number },
  database: Pick<Database, "kysely">,
  transport: Transport,
): Limiter {
  return new Limiter({
    log: new WindowLog(database, config.rateWindowMs),
    egresses: namesOf(config),
    isAway: (egress) => transport.isAway(egress),
  });
}

/** What they are called. */
export const namesOf = ({ egresses }: Pick<Reaching, "egresses">) => egresses.map(({ name }) => name);

/** The addresses that are really left by: the built-in sandbox is in this process, and no proxy leads there. */
export function leftBy({ apiUrl, egresses }: Reaching): readonly Egress[] {
  return apiUrl === undefined ? egresses.map(({ name }) => ({ name })) : egresses;
}
