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
    if (!sent) return false;
    const [chat, name] = [chatOf(context), nameOf(sent.message)];
    // It may be told of earlier that it was deleted.
    if ((await context.notes.find(chat, name)) === GONE) return true;
    await context.notes.keep(chat, name, sent.picture);
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
  const picture = await notes.find<Noted>(chat, nameOf(message));
  return picture && picture !== GONE ? { draft: "", picture, address: { replyTo: message } } : undefined;
}

/** Remembers of a message that it is deleted. @returns the picture that it brought, where that was noted */
export async function dropNoted(
  notes: ChatNotes,
  chat: string,
  message: string,
): Promise<MediaRef | undefined> {
  const picture = await notes.find<Noted>(chat, nameOf(message));
  await notes.keep(chat, nameOf(message), GONE);
  return picture === GONE ? undefined : picture;
}

/** What is noted of a message whose picture is deleted. */
const GONE = "gone";

type Noted = MediaRef | typeof GONE;

const nameOf = (message: string) => `picture:${message}`;
