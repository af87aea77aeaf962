import { TelegramError } from "telegraf";
import { messageOf } from "./command-line.ts";
import { ask } from "./command-question.ts";
import { tell } from "./command-tell.ts";
import type { Visit } from "./desk.ts";
import { leadToPrivate } from "./groups.ts";

/** How keys of the built-in sandbox begin: nobody writes such a word for anything else. */
const SANDBOX_KEY = /^rk_\S+$/;

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
  if (/\s/.test(key)) {
    await tell(quiet, visit.say("telegram.connect.no_key"));
    await ask(quiet, "key");
  } else {
    await visit.intake.command(quiet.origin, "connect", { key });
  }
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

/** @returns whether the person's message is gone */
async function removeMessage(visit: Visit): Promise<boolean> {
  const message = messageOf(visit);
  if (!message) return true;
  const { chat, message_id } = message;
  try {
    await visit.sender.call("deleteMessage", { chat_id: chat.id, message_id });
    return true;
  } catch (error) {
    // Deleted already, by the person or before a restart.
    if (error instanceof TelegramError && error.description.includes("message to delete not found"))
      return true;
    visit.host.log.warn({ err: error }, "A message that holds a key could not be deleted");
    return false;
  }
}
