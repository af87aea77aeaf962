import type { MediaRef } from "../../../src/seam/values.ts";
import type { Sent } from "../drafts/sent.ts";
import type { ChatNotes } from "../messages/notes.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { TogetherRules } from "./together.ts";

/** Notes the picture of a message, so that an answer to it is known to be about it: once no key is in its name any more. */
export function notedHandler<Context extends { readonly notes: ChatNotes }>({
  sentIn,
  chatOf,
}: Pick<TogetherRules<Context>, "sentIn" | "chatOf">): HandlerFor<Context> {
  return async (context) => {
    const sent = sentIn(context);
    if (sent) await context.notes.keep(chatOf(context), nameOf(sent.message), sent.picture);
    return false;
  };
}

/** What a message replies to, where that is a picture that was noted. @param message the one that it replies to */
export async function repliedIn(
  notes: ChatNotes,
  chat: string,
  message: string | undefined,
): Promise<Sent["reply"]> {
  if (message === undefined) return undefined;
  const picture = await notes.find<MediaRef>(chat, nameOf(message));
  return picture && { draft: "", picture, address: { replyTo: message } };
}

const nameOf = (message: string) => `picture:${message}`;
