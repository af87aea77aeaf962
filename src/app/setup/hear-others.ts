import type { Database } from "../../infrastructure/storage/database.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import type { InForce } from "./in-force.ts";
import { readStored } from "./stored.ts";

/** Has this process go by what is stored on another node, from when that one rings for it; until the database is closed. */
export function hearOthers(
  { database, vault, log }: { readonly database: Database; readonly vault: Vault; readonly log: Logger },
  inForce: InForce,
): void {
  database.bell.on("settings", () => {
    readStored(database, vault)
      .then((stored) => inForce.apply(stored))
      // It is read again at the next ring, and at a start.
      .catch((err: unknown) => log.warn({ err }, "Settings of another node could not be read"));
  });
}
