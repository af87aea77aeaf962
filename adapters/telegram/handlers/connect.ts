import { addressOf, receiptOf } from "../context/address.ts";
import { chatContext } from "../context/chat-context.ts";
import { questions } from "./platform.ts";
import { tell } from "./tell.ts";
import { anyMessageOf } from "../context/command-line.ts";
import type { UpdateContext } from "../context/context.ts";
import { withScreen } from "../../kit/drafts/change.ts";
import { draftAskingKey } from "../../kit/handlers/drafts.ts";
import { type Draft, originFor } from "../../kit/drafts/draft.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { answering } from "../../kit/pipeline/context.ts";
import { drafts } from "../drafts/messages.ts";
import { meaningOf } from "../api/errors.ts";
import { leadToPrivate } from "./groups.ts";
import { leadToStudio } from "./studio.ts";

/**
 * `/connect` without a key behind it: it is asked for. The page comes first, because there it passes through no chat; here
 * keys are taken in private only.
 */
export async function connect(context: UpdateContext, words: string): Promise<void> {
  if (context.origin.audience !== "private") return leadToPrivate(unquoting(context), "connect");
  if (words) return takeNoKey(context);
  await leadToStudio(context, "chat.connect.page");
  await questions.ask(context, "key");
}

/** Whatever was sent for a key and is none: it may hold one that nobody recognised. */
export async function takeNoKey(
  context: UpdateContext,
  question: "key" | "group_key" = "key",
  of?: string,
): Promise<void> {
  const gone = await removeMessage(context);
  const quiet = unquoting(context);
  if (!gone) await tell(quiet, context.say("telegram.connect.still_there"));
  const asking = await draftAskingKey(quiet);
  if (asking) {
    const note = { key: "telegram.connect.no_key" } as const;
    return drafts.show(quiet, { ...withScreen(asking, { show: "main" }), note });
  }
  await tell(quiet, context.say("telegram.connect.no_key"));
  await questions.ask(quiet, question, of);
}

/** Tries a key and stores it; then what the person had begun before goes on, in the messages where it stands. */
export async function connectWith(context: UpdateContext, key: string): Promise<void> {
  const { intake, memory, origin } = context;
  const asking = await draftAskingKey(context);
  if (asking) {
    // What is wrong with it is told in the draft.
    const unasking = withScreen(asking, { show: "main" });
    const isConnected = await drafts.attempt(context, unasking, () => intake.connect(origin, key));
    return isConnected ? drafts.goOn(context, (draft) => placeOf(context, draft)) : undefined;
  }
  const waiting = await new DraftStore(memory).keyless(origin.user);
  // One that waits in this chat stands further up: what is said leads there.
  const here = waiting.findLast(({ address }) => address["chat"] === origin.address["chat"]);
  const address = here ? { replyTo: receiptOf(originFor(context, here).address).message } : {};
  const { origin: quoting } = answering(context, address);
  if (await intake.command(quoting, "connect", { key }))
    await drafts.goOn(context, (draft) => placeOf(context, draft));
}

/** The place where a draft stands, which may be a group. */
function placeOf(context: UpdateContext, { owner, address }: Draft): UpdateContext {
  const place = addressOf({ ...unquoting(context).origin.address, ...address });
  return { ...context, ...chatContext(context, owner, place) };
}

/** The same context, answered without a reply: phones show the beginning of what is replied to, and here that is a key. */
export function unquoting(context: UpdateContext): UpdateContext {
  const { replyTo: _key, ...address } = context.origin.address;
  return { ...context, origin: { ...context.origin, address } };
}

/** @returns whether the person's message is gone; one that they deleted themselves is, and one that a killed process deleted */
export async function removeMessage(context: UpdateContext): Promise<boolean> {
  const { sender, host } = context;
  const message = anyMessageOf(context);
  if (!message) return true;
  const { chat, message_id } = message;
  try {
    await sender.call("deleteMessage", { chat_id: chat.id, message_id });
    return true;
  } catch (err) {
    if (meaningOf(err) === "message_gone") return true;
    host.log.warn({ err }, "A message that holds a key could not be deleted");
    return false;
  }
}
