import type { LookupFunction } from "node:net";
import type { Audit } from "../audit/audit.ts";
import type { TokenMode } from "../../seam/access/partners.ts";
import type { Platform, UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";

/** What webhooks stand on. */
export interface WebhookParts {
  readonly database: Database;
  readonly vault: Vault;
  /** Where it is written down what is done about endpoints and secrets, and on which surface. */
  readonly audit: Pick<Audit, "write">;
  readonly surface: Platform;
  /** Who does it, where that is not whose endpoints they are. */
  readonly by?: UserId;
  /** Which tokens it is about; by default live ones. */
  readonly mode?: TokenMode;
  readonly log: Logger;
  /** `REELAY_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[];
  /** Milliseconds since 1970; by default the clock's. */
  readonly now?: () => number;
  /** 0 to 1, for jitter; by default chance. */
  readonly chance?: () => number;
  /** How long one try may take, in milliseconds; by default 15 s. */
  readonly tryMs?: number;
  /** After which a try counts as a slow one, in milliseconds; by default 1 s. */
  readonly patienceMs?: number;
  /** How names are looked up; by default as `Guard` says. */
  readonly lookup?: LookupFunction;
}
