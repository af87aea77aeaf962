import type { Params } from "../../common/errors.ts";

/** What operators are alerted to; each has sentences under `alert.<kind>` in every language. */
export const ALERT_KINDS = [
  /** The service does not take a key of the operator's. */
  "key_refused",
  /** Its tokens do not cover what was asked for. */
  "key_empty",
  /** The service said that a published limit was met, although ours held. */
  "limit_met",
  /** One of the addresses that requests leave by cannot be left by. */
  "egress_away",
  /** People do not reach Reelay on a platform. */
  "platform_gone",
  "disk_full",
  /** A partner's endpoint takes nothing any more. */
  "webhook_dead",
  /** A partner's endpoint answered that it is gone, and was switched off. */
  "webhook_gone",
  /** The operator's tokens end within days, at the pace of the last week. */
  "tokens_ending",
  /** The database keeps nothing. */
  "storage_away",
  /** The bucket, or the shared folder, keeps nothing. */
  "files_away",
  /** The server could not make a backup that was due. */
  "backup_failed",
] as const;

/** One of {@link ALERT_KINDS}. */
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Something that is not as it should be. */
export interface AlertEntry {
  readonly kind: AlertKind;
  /** What its sentence is filled with. */
  readonly params: Params;
  /** When it was first seen, in milliseconds since 1970: it may have been away since, for less long than ends it. */
  readonly since: number;
}

/** What an operator's address is told of. */
export type AlertEvent = "alert.began" | "alert.over" | "alert.test";

/** What became of a test at one place. */
export interface AlertTest {
  /** A chat, or an address as it may be shown. */
  readonly place: string;
  /** `failed`: it is tried again; `waiting`: nobody tried it yet, as where no server runs. */
  readonly outcome: "told" | "failed" | "waiting";
}

/** What whoever runs Reelay may do about alerts. */
export interface AlertDesk {
  /** What is not as it should be now. */
  list(): Promise<readonly AlertEntry[]>;
  /** Tells every place something that is no alert, and waits a while for what becomes of it. */
  test(): Promise<readonly AlertTest[]>;
}
