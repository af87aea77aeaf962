import type { AlertKind } from "../../seam/access/alerts.ts";
import type { AlertPatience } from "./alert.ts";

const MINUTE = 60_000;

/** How often what takes a question to the service is looked at, in milliseconds. */
export const ACCOUNT_EVERY_MS = 5 * MINUTE;

/**
 * How patient alerts are. What begins and ends again and again is told once: it is over only after it has been gone for longer than the
 * pauses in between.
 * @param platformMs how long a platform may be gone, in milliseconds
 */
export function patienceOf(kind: AlertKind, platformMs: number): AlertPatience {
  switch (kind) {
    case "key_refused":
    case "key_empty":
      // Seen twice.
      return { holdsMs: ACCOUNT_EVERY_MS - MINUTE, endsMs: 2 * ACCOUNT_EVERY_MS + MINUTE };
    case "tokens_ending":
      return { holdsMs: 2 * ACCOUNT_EVERY_MS, endsMs: 60 * MINUTE };
    case "limit_met":
      // One may be chance, such as a request on its way when a server of the database was replaced; two are not.
      return { holdsMs: MINUTE / 2, endsMs: 60 * MINUTE };
    case "egress_away":
      // It is asked by again within half a minute.
      return { holdsMs: 2 * MINUTE, endsMs: 3 * MINUTE };
    case "platform_gone":
      return { holdsMs: platformMs, endsMs: 3 * MINUTE };
    case "disk_full":
    case "webhook_dead":
    case "webhook_gone":
      return { holdsMs: MINUTE, endsMs: 10 * MINUTE };
    case "storage_away":
    case "backup_failed":
    case "files_away":
      return { holdsMs: MINUTE, endsMs: 2 * MINUTE };
    default:
      return kind satisfies never;
  }
}
