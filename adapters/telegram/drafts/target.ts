import type { Message } from "telegraf/types";
import { messageOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import type { Draft } from "./draft.ts";
import { currentDraft, findDraft } from "./store.ts";

/** A message that may be meant for a draft. */
export interface Answer {
  readonly message: Message;
  /** The draft of the person's own that it goes to, if to any. */
  readonly draft: Draft | undefined;
  /** Whether it replies to the draft; else it is only the next thing that was said. */
  readonly isReply: boolean;
}

/**
 * Reads a message as an answer to one of the person's drafts: to the one that it replies to, or, in private, to the
 * one that they worked on last. What replies to something else is none.
 */
export async function answerOf(context: UpdateContext): Promise<Answer | undefined> {
  const { memory, origin } = context;
  const message = messageOf(context);
  if (!message) return undefined;
  const replied = await repliedDraft(context, message);
  const isReply = replied?.owner === origin.user;
  const isFree = !("reply_to_message" in message) && origin.audience === "private";
  const current = isFree ? await currentDraft(memory, origin.user, message.chat.id) : undefined;
  return { message, draft: isReply ? replied : current, isReply };
}

/** Leaves alone what people say to somebody else's draft. */
export const bystanderHandler: Handler = async (context) => {
  const message = messageOf(context);
  const replied = message && (await repliedDraft(context, message));
  return replied !== undefined && replied.owner !== context.origin.user;
};

async function repliedDraft({ memory }: UpdateContext, message: Message): Promise<Draft | undefined> {
  const replied = "reply_to_message" in message ? message.reply_to_message : undefined;
  return replied && findDraft(memory, { chat: message.chat.id, message: replied.message_id });
}
