import type { AuditEntry, AuditQuery } from "./audit.ts";
import type { ChatId, UserId } from "../values.ts";

/** Somebody who is kept out: a person, a group, a partner, or one of a partner's people. */
export interface Block {
  readonly subject: UserId;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Why, in the operator's words. */
  readonly reason?: string;
  /** Their own partner, or the group that those who moderate it keep them out of; left out: whoever runs Reelay. */
  readonly by?: "partner" | ChatId;
}

/** A block as it was just made. */
export interface NewBlock extends Block {
  /** The partner, where there is none of that id so far. Who may come on a chat platform nobody knows beforehand. */
  readonly noPartner?: UserId;
}

/** What whoever runs Reelay may look at and do about people, while it runs or not. */
export interface SafetyAdmin {
  /** Lines of the audit, the latest first. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>;
  block(subject: Block["subject"], reason: string | undefined): Promise<NewBlock>;
  /** @returns whether there was such a block */
  unblock(subject: Block["subject"]): Promise<boolean>;
  /** Those that were added while it ran, the latest first. */
  blocks(): Promise<readonly Block[]>;
}
