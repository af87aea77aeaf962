import type { Database } from "../../infrastructure/storage/database.ts";
import { NOBODY } from "./adopt.ts";
import type { OpenState } from "./job.ts";
import { Ledger } from "./ledger.ts";
import { GOING_ON } from "./row.ts";

/** What had not been sent, or of which nobody knew whether the service had accepted it. */
const UNSENT: readonly OpenState[] = ["queued", "submitting", "unsure"];

/**
 * Makes a database that was brought back safe to go on with: since then everything in it may have been sent and paid for, so what
 * had not been accepted yet ends, and is told of. What was accepted is read and told once more, which costs nothing.
 * @param now milliseconds since 1970
 * @returns how many ended
 */
export async function endUnsent(database: Database, now: number): Promise<number> {
  const { kysely } = database;
  // Their processes are of another time, and perhaps of another machine.
  await kysely.deleteFrom("runners").execute();
  await kysely.updateTable("jobs").set({ runner: NOBODY }).where("going_on", "=", GOING_ON).execute();
  const ledger = new Ledger(database, NOBODY);
  let ended = 0;
  for (const state of UNSENT)
    for (const job of await ledger.inState(state)) {
      await ledger.apply(job, {
        type: "failed",
        at: now,
        error: { code: "restored", params: {} },
        cost: null,
      });
      ended += 1;
    }
  return ended;
}
