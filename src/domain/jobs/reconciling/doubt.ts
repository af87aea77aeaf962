import { type Hosts, RATE_WINDOW_MS } from "../../../common/contract.ts";
import { mayBePublic } from "../../../infrastructure/net/public-address.ts";
import type { AccountReading } from "../../accounts/reading.ts";
import type { Likeness } from "../../operations/likeness.ts";
import type { OtherJob } from "../testimony.ts";
import type { ServiceClock } from "./service-clock.ts";

/**
 * The longest that a submission can still be accepted after we stopped waiting for its answer, in milliseconds: a minute
 * for the service, which is as long as we would have waited (`headersTimeoutMs`), and another in which the network still
 * delivers what a process that was killed had written (acceptance was seen 35 s after a crash).
 */
export const ON_ITS_WAY_MS = 120_000;

/**
 * {@link ON_ITS_WAY_MS}; less only for a service beside us, such as the sandbox, all of whose times are shorter when its
 * window is. What counts in short windows on the internet is no faster for it, and nobody pays twice for a setting.
 * @param hosts the service's addresses
 * @param rateWindowMs in which it counts requests, in milliseconds
 */
export function onItsWayFor(
  { primary, "full-catalog": full = primary }: Hosts,
  rateWindowMs: number,
): number {
  const isPublic = [primary, full].some((address) => mayBePublic(new URL(address).hostname));
  return isPublic ? ON_ITS_WAY_MS : (ON_ITS_WAY_MS * rateWindowMs) / RATE_WINDOW_MS;
}

/** The job whose answer was lost. Times are milliseconds since 1970. */
interface Doubt {
  /** The service's type (section 2.4). */
  readonly type: string;
  readonly listed: boolean;
  /** Tokens that it costs; null where that is not known. */
  readonly price: number | null;
  readonly sentAt: number;
  /** From here on it is accepted or never will be: {@link ON_ITS_WAY_MS} after its answer was lost. */
  readonly arrivedBy: number;
}

/** A job in the service's list (section 2.5). */
export interface Listed {
  readonly id: string;
  /** Null where the service does not say, as everything that is. */
  readonly type: string | null;
  /** By the service's clock, read as if it were UTC. */
  readonly createdAt: number | null;
  readonly cost: number | null;
  readonly failed: boolean;
  /** One of our other jobs has it. */
  readonly taken: boolean;
  /** How it is like the job in doubt, as far as it was compared; "possible" where it was not. */
  readonly likeness: Likeness;
}

/** Everything that is known. */
export interface Evidence {
  readonly doubt: Doubt;
  /** The account's numbers just before it was sent; null where they were not read. */
  readonly before: AccountReading | null;
  readonly now: AccountReading;
  /** The key's other jobs that were sent, settled or in doubt since. */
  readonly others: readonly OtherJob[];
  /** As far back as it matters, in any order. */
  readonly list: readonly Listed[];
  /** How many jobs the list has; null where the service says more than it showed. */
  readonly listTotal: number | null;
  /** Undefined where nothing was measured. */
  readonly clock: ServiceClock | undefined;
}
