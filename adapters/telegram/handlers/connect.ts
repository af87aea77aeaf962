import { addressOf } from "../context/address.ts";
import { ask } from "./question.ts";
import { tell } from "./tell.ts";
import type { Visit } from "../context/context.ts";
import { withoutProblem } from "../drafts/draft.ts";
import { openDraft } from "../drafts/message.ts";
import { currentDraft, dropDraft } from "../drafts/store.ts";
import { meaningOf } from "../api/errors.ts";
import { leadToPrivate } from "./groups.ts";
import { remove } from "../messages/take-back.ts";

/** `/connect` without a key behind it: it is asked for. Keys are taken in private only. */
export async function connect(visit: Visit, words: string): Promise<void> {
  if (visit.origin.audience !== "private") return leadToPrivate(unquoting(visit), "connect");
  return words ? takeNoKey(visit) : ask(visit, "key");
}

/** Whatever was sent for a key and is none: it may hold one that nobody recognised. */
export async function takeNoKey(visit: Visit): Promise<void> {
  const gone = await removeMessage(visit);
  const quiet = unquoting(visit);
  if (!gone) await tell(quiet, visit.say("telegram.connect.still_there"));
  await tell(quiet, visit.say("telegram.connect.no_key"));
  await ask(quiet, "key");
}

/** Tries a key and stores it; then what the person had begun before goes on, with its words. */
export async function connectWith(visit: Visit, key: string): Promise<void> {
  const { intake, memory, origin, say } = visit;
  if (!(await intake.command(origin, "connect", { key }))) return;
  const draft = await currentDraft(memory, origin.user, addressOf(origin.address).chat);
  if (!draft) return;
  // It is where the person looks now.
  await dropDraft(memory, draft);
  await remove(visit, draft.receipt);
  await tell(visit, say("telegram.connect.goes_on"));
  const { receipt, owner: _, ...begun } = withoutProblem(draft);
  await openDraft(visit, receipt, begun);
}

/** The same visit, answered without a reply: phones show the beginning of what is replied to, and here that is a key. */
export function unquoting(visit: Visit): Visit {
  const { replyTo: _key, ...address } = visit.origin.address;
  return { ...visit, origin: { ...visit.origin, address } };
}

/** @returns whether the person's message is gone; one that they deleted themselves is, and one that a killed process deleted */
export async function removeMessage({ update, sender, host }: Visit): Promise<boolean> {
  const message =
    "message" in update ? update.message : "edited_message" in update ? update.edited_message : undefined;
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
