import { type Interaction, tokenOf } from "./interaction.ts";
import { ownPart } from "../../../src/seam/text/actions.ts";
import type { ChatContext, ChatServices } from "../../kit/pipeline/context.ts";
import type { HandlerFor } from "../../kit/pipeline/handler.ts";
import type { DiscordAddress, DiscordReceipt } from "./address.ts";
import type { Api } from "../api/api.ts";
import type { Replies, Reply } from "./replies.ts";
import type { ChannelRights } from "./channel-rights.ts";

/** What every part of the adapter works with. */
export interface Services extends ChatServices {
  readonly api: Api;
  readonly replies: Replies;
  readonly rights: ChannelRights;
}

/** One interaction, with everything needed to handle it. */
export interface InteractionContext extends Services, ChatContext {
  readonly interaction: Interaction;
  readonly address: DiscordAddress;
  /** The answer to it: private to whoever asked, but for progress and results. */
  readonly reply: Reply;
}

/** Somebody in a conversation, whose interaction may be over. */
export interface ReplyContext extends Omit<InteractionContext, "interaction"> {
  /** The message that what is said next stands in, where that is no answer to anything they did there. */
  readonly shown?: DiscordReceipt;
}

/** Handles an interaction, or leaves it to the next handler. */
export type Handler = HandlerFor<InteractionContext>;

/** What stands behind the mark of a button, a menu or a modal of the adapter itself, if it is this handler's. */
export const idOf = ({ interaction }: Pick<InteractionContext, "interaction">, handler: string) =>
  ownPart(tokenOf(interaction), handler);
