import type { Database } from "../../../infrastructure/storage/database.ts";
import { dialectOf } from "../../../infrastructure/storage/dialect.ts";
import { LEASE_ACROSS_MACHINES_MS, leaseFor } from "./lease.ts";
import { identityAmongMachines, ownIdentity } from "./process-identity.ts";
import { type RunnerEvents, Runners } from "./runners.ts";

/**
 * The processes that share a database, as this one has to see them: on one machine, or on several.
 * @param rateWindowMs the service's window, in milliseconds
 */
export function openRunners(
  database: Database,
  rateWindowMs: number,
  events: Partial<RunnerEvents> = {},
): Runners {
  const isShared = !dialectOf(database.kysely).hasFiles;
  const leaseMs = isShared ? LEASE_ACROSS_MACHINES_MS : leaseFor(rateWindowMs);
  return new Runners(database, leaseMs, isShared ? identityAmongMachines() : ownIdentity(), events);
}
