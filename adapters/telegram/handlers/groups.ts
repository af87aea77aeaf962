import { tell } from "./tell.ts";
import type { Clerk, Visit } from "../context/context.ts";

/** The link that opens the private chat and starts with something. */
export const deepLink = (username: string, start: string) => `https://t.me/${username}?start=${start}`;

/** Says in a group that something is for the private chat, with the button that leads there. */
export async function leadToPrivate(visit: Visit, start: string): Promise<void> {
  const url = deepLink(visit.username, start);
  await tell(visit, visit.say("telegram.private"), {
    inline_keyboard: [[{ text: visit.say("telegram.private.open"), url }]],
  });
}

const INSIDE: ReadonlySet<string> = new Set(["member", "administrator"]);

/** Greets a group that the bot was added to, once. */
export const groupClerk: Clerk = async (visit) => {
  if (!("my_chat_member" in visit.update)) return false;
  const { chat, old_chat_member: before, new_chat_member: after } = visit.update.my_chat_member;
  const isGroup = chat.type === "group" || chat.type === "supergroup";
  const greeted = `greeted:${chat.id}`;
  const isNew = !INSIDE.has(before.status) && INSIDE.has(after.status);
  if (!isGroup || !isNew || (await visit.memory.get(greeted))) return true;
  await visit.memory.set(greeted, true);
  await tell(visit, visit.say("telegram.group.hello", { bot: visit.username }));
  return true;
};
