import type { APIMessage, APIModalInteractionResponseCallbackData } from "discord.js";
import type { DiscordAddress } from "./address.ts";
import type { MessageBody } from "./api.ts";

/**
 * The answer to one interaction, which Discord takes once, within three seconds, and in the same way for everything
 * that comes of it:
 * - What is private (a notice, a menu, a question, a failure) fills in the first answer, which only the person sees; the
 *   next such thing is a follow-up that only they see. In direct messages both are ordinary messages.
 * - What may be seen by all (progress, results) is a follow-up of its own, after the first answer was filled in.
 * A press on a message that only the person sees changes that message instead.
 */
export interface Reply {
  /** Whether Discord has its first answer. */
  readonly isAcknowledged: boolean;
  /** Says "thinking", or that the pressed message will change. Does nothing when it was said already. */
  defer(): Promise<void>;
  /**
   * Opens a modal.
   * @returns false where the first answer was given already: then it needs a button
   */
  openModal(modal: APIModalInteractionResponseCallbackData): Promise<boolean>;
  /** Says something to the person alone. */
  tell(body: MessageBody): Promise<APIMessage>;
  /** Says something to everybody; to the person alone where the address is secret. */
  publish(body: MessageBody): Promise<APIMessage>;
}

/** The replies that this process has begun. */
export interface Replies {
  /** The reply to the interaction of an address; for one of an earlier process, one that can only follow up. */
  of(address: DiscordAddress): Reply;
}
