import type { Database } from "../../infrastructure/storage/database.ts";
import { currentTime } from "../../common/time.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { NOBODY } from "./adopt.ts";
import { isOpen } from "./job.ts";
import { Ledger } from "./ledger.ts";
import { fromRow, GOING_ON } from "./row.ts";

/**
 * Ends what the built-in sandbox was making when Reelay went over to another service, which knows nothing of it: it was play money,
 * and nobody could connect a key that reads it. Whoever asked for it is told as soon as it is taken over.
 * @param keyId the sandbox's key
 * @param gone the processes that work no more: what others are at stays theirs
 */
export async function endAtSandbox(
  { database, log }: { readonly database: Database; readonly log: Logger },
  keyId: string,
  gone: readonly string[],
): Promise<void> {
  const left = await exclusive(database.kysely, ["adopting"], (db) =>
    db
      .updateTable("jobs")
      .set(({ eb }) => ({ runner: NOBODY, fence: eb("fence", "+", 1) }))
      .where("runner", "in", [...gone, NOBODY])
      .where("key_id", "=", keyId)
      .where("going_on", "=", GOING_ON)
      .returningAll()
      .execute(),
  );
  const ledger = new Ledger(database, NOBODY);
  const open = left.map(fromRow).filter(({ state }) => isOpen(state));
  for (const job of open) {
    const error = { code: "sandbox_left", params: {} } as const;
    await ledger.apply(job, { type: "failed", at: currentTime(), error, cost: 0 });
  }
  if (open.length > 0)
    log.warn({ count: open.length }, "Ended what the built-in sandbox was making, which is no longer in use");
}
