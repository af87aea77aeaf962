import { receiptOf } from "../context/address.ts";
import { questions } from "./platform.ts";
import { tell } from "./tell.ts";
import { anyMessageOf } from "../context/command-line.ts";
import type { UpdateContext } from "../context/context.ts";
import { originFor, withoutProblem } from "../../kit/drafts/draft.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { drafts } from "../drafts/messages.ts";
import { meaningOf } from "../api/errors.ts";
import { leadToPrivate } from "./groups.ts";
import { remove } from "../messages/take-back.ts";

/** `/connect` without a key behind it: it is asked for. Keys are taken in private only. */
export async function connect(context: UpdateContext, words: string): Promise<void> {
  if (context.origin.audience !== "private") return leadToPrivate(unquoting(context), "connect");
  return words ? takeNoKey(context) : questions.ask(context, "key");
}

/** Whatever was sent for a key and is none: it may hold one that nobody recognised. */
export async function takeNoKey(context: UpdateContext): Promise<void> {
  const gone = await removeMessage(context);
  const quiet = unquoting(context);
  if (!gone) await tell(quiet, context.say("telegram.connect.still_there"));
  await tell(quiet, context.say("telegram.connect.no_key"));
  await questions.ask(quiet, "key");
}

/** Tries a key and stores it; then what the person had begun before goes on, with its words. */
export async function connectWith(context: UpdateContext, key: string): Promise<void> {
  const { intake, memory, origin, say } = context;
  if (!(await intake.command(origin, "connect", { key }))) return;
  const store = new DraftStore(memory);
  const draft = await store.current(origin);
  if (!draft) return;
  const there = { ...context, origin: originFor(unquoting(context), draft) };
  // It is where the person looks now.
  await store.drop(draft);
  await remove(context, receiptOf(there.origin.address));
  await tell(context, say("telegram.connect.goes_on"));
  await drafts.open(there, withoutProblem(draft));
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
