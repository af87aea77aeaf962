import type { Message } from "telegraf/types";
import { addressOf } from "./address.ts";
import { messageOf } from "./command-line.ts";
import type { Visit } from "./desk.ts";
import type { Draft } from "./draft.ts";
import { currentDraft, findDraft } from "./draft-store.ts";

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
export async function answerOf(visit: Visit): Promise<Answer | undefined> {
  const { memory, origin } = visit;
  const message = messageOf(visit);
  if (!message) return undefined;
  const replied = "reply_to_message" in message ? message.reply_to_message : undefined;
  const { chat } = addressOf(origin.address);
  const found = replied
    ? await findDraft(memory, { chat, message: replied.message_id })
    : origin.audience === "private"
      ? await currentDraft(memory, origin.user, chat)
      : undefined;
  const draft = found?.owner === origin.user ? found : undefined;
  return { message, draft, isReply: replied !== undefined && draft !== undefined };
}
