import type { ChatId, Platform, UserId } from "../values.ts";
import type { Json } from "../../common/json.ts";

/** What was decided or done about what somebody made, and about partners. */
export const ACTS = [
  /** A request was accepted, refused, or a statement was asked for first. */
  "allow",
  "refuse",
  "ask",
  /** A statement was made, or taken back. */
  "agree",
  "withdraw",
  /** A result was reported; taken down; put back; left as it was. */
  "report",
  "withhold",
  "restore",
  "settle",
  /** Somebody was kept out, or let in again. */
  "block",
  "unblock",
  /** Those who manage a group chose where they are told of reports there. */
  "log",
  /** Somebody had what is kept about them given to them, or erased. */
  "export",
  "forget",
  /** A partner was added, changed, held to other caps, given another key, removed. */
  "partner_add",
  "partner_change",
  "caps",
  "partner_key",
  "partner_remove",
  /** A token was made, revoked, or used after it had expired. */
  "token_add",
  "token_revoke",
  "token_expired",
  /** An endpoint was added, changed, removed; what signs for it was renewed; a message was sent once more. */
  "webhook_add",
  "webhook_change",
  "webhook_remove",
  "webhook_secret",
  "webhook_resend",
  /** Somebody who runs Reelay was invited, given a link to come in by, came in by one, got another role, was removed,
   *  was logged out everywhere. */
  "operator_invite",
  "operator_link",
  "operator_enter",
  "operator_role",
  "operator_remove",
  "operator_sign_out",
  /** A key that pays for those who have connected none was added, changed, paused, let in again, removed. */
  "pool_key",
  /** Somebody who runs Reelay looked at the words and pictures of a job, or left a note with it. */
  "uncover",
  "note",
  /** They took it out of the queue, had its outcome told once more, offered its person to make the same again. */
  "cancel",
  "redeliver",
  "offer",
  /** They changed a setting while Reelay ran. */
  "setting",
] as const;

/** One of {@link ACTS}. */
export type Act = (typeof ACTS)[number];

/** One line of the audit: who, when, what, and which rule decided. No words and no pictures unless the operator wants them. */
export interface AuditEntry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null once they wanted to be forgotten. */
  readonly user: UserId | null;
  /** What their partner calls them. */
  readonly username: string | null;
  readonly chat: ChatId | null;
  readonly surface: Platform;
  readonly act: Act;
  /** Who did it, where that is not who the line is about: of a partner, who of those that run Reelay. */
  readonly by: UserId | null;
  /**
   * What decided: an error's code, a statement with its version, whom a block or an operator's act on a job is about, or what somebody who
   * runs Reelay may; of a partner or a key, what was changed, by its id, and from what to what; a setting's name; null where nothing had
   * to.
   */
  readonly rule: string | null;
  readonly operation: string | null;
  readonly job: string | null;
  /** Of the words and choices: the same for the same, and tells nothing of them. */
  readonly digest: string | null;
  /** SHA-256 of each file that was given, as hex, once it was read. */
  readonly files: readonly string[];
  /** The words and choices, where the operator has them kept; what a note says; what a setting was and is. */
  readonly content: Json;
}

/** Which lines are sought; what is left out does not matter. */
export interface AuditQuery {
  readonly user?: UserId;
  readonly username?: string;
  readonly chat?: ChatId;
  readonly act?: Act;
  readonly operation?: string;
  readonly job?: string;
  readonly digest?: string;
  /** SHA-256 of a file, as hex. */
  readonly file?: string;
  /** Milliseconds since 1970; `until` is not in it any more. */
  readonly since?: number;
  readonly until?: number;
  /** Only those older than the one with this id. */
  readonly before?: number;
  readonly limit: number;
}
