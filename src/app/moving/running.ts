import { identityAmongMachines } from "../../domain/jobs/submission/process-identity.ts";
import { Runners } from "../../domain/jobs/submission/runners.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { markOf } from "../../infrastructure/storage/moving/in-charge.ts";

/** How many processes may be working on a database, which is closed then. */
export async function runningOn(database: Database, leaseMs: number): Promise<number> {
  try {
    // What is not in charge nobody works on, and nothing can be written there.
    const mark = await markOf(database);
    if (mark && mark.state !== "here") return 0;
    return (await new Runners(database, leaseMs, identityAmongMachines()).living()).length;
  } finally {
    await database.close();
  }
}
