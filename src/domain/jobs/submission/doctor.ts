import type { Database } from "../../../infrastructure/storage/database.ts";
import type { Check } from "../../../seam/surface/runtime.ts";
import { countJobs } from "../count.ts";
import { openRunners } from "./runners.ts";

/**
 * What the doctor says of jobs that were promised and that no process is there to go on with: nothing where one is, or they have all ended.
 * @param rateWindowMs the service's window, in milliseconds
 */
export async function examineJobs(database: Database, rateWindowMs: number): Promise<readonly Check[]> {
  const count = await countJobs(database, { goingOn: true });
  if (count === 0 || (await openRunners(database, rateWindowMs).living()).length > 0) return [];
  const found = `open, and nobody works on them: ${count}`;
  const advice = "Start Reelay: it goes on with them. Those of the command line are for `reelay resume`.";
  return [{ name: "jobs", ok: false, found, advice }];
}
