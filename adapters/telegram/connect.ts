import { ask } from "./command-question.ts";
import { tell } from "./command-tell.ts";
import type { Visit } from "./desk.ts";
import { leadToPrivate } from "./groups.ts";

/** How keys of the built-in sandbox begin: nobody writes such a word for anything else. */
const SANDBOX_KEY = /^rk_\S+$/;

/** Keys are opaque (section 5), but no service makes them shorter than this or of several words. */
const LIKE_KEY = /^\S{8,}$/;

/** Whether a message is certainly a key, though nobody asked for one. */
export const isKey = (text: string) => SANDBOX_KEY.test(text.trim());

/** `/connect` with the key behind it, or without: then it is asked for. Keys are taken in private only. */
export async function connect(visit: Visit, words: string): Promise<void> {
  const isPrivate = visit.origin.audience === "private";
  if (words && isPrivate) return takeKey(visit, words);
  if (words) await withdraw(visit);
  return isPrivate ? ask(visit, "key") : leadToPrivate(unquoting(visit), "connect");
}

/** Takes a key: its message is deleted before anything else happens. The key is never shown again. */
export async function takeKey(visit: Visit, text: string): Promise<void> {
  const gone = await removeMessage(visit);
  const quiet = unquoting(visit);
  if (!gone) await tell(quiet, visit.say("telegram.connect.still_there"));
  const key = text.trim();
  if (LIKE_KEY.test(key)) {
    await visit.intake.command(quiet.origin, "connect", { key });
    return;
  }
  await tell(quiet, visit.say("telegram.connect.no_key"));
  await ask(quiet, "key");
}

/** Takes a key out of a group's sight, as far as the bot may. */
async function withdraw(visit: Visit): Promise<void> {
  const gone = await removeMessage(visit);
  await tell(unquoting(visit), visit.say(gone ? "telegram.connect.withdrawn" : "telegram.connect.exposed"));
}

/** The same visit, answered without a reply: phones show the beginning of what is replied to, and here that is a key. */
function unquoting(visit: Visit): Visit {
  const { replyTo: _key, ...address } = visit.origin.address;
  return { ...visit, origin: { ...visit.origin, address } };
}

/** @returns whether the person's message is gone; one that they deleted themselves is */
async function removeMessage({ update, sender, host }: Visit): Promise<boolean> {
  if (!("message" in update)) return true;
  const { chat, message_id } = update.message;
  try {
    await sender.call("deleteMessage", { chat_id: chat.id, message_id });
    return true;
  } catch (err) {
    host.log.warn({ err }, "A message that holds a key could not be deleted");
    return false;
  }
}
