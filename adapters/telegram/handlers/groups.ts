import { deepLink } from "./links.ts";
import { tell } from "./tell.ts";
import type { Handler, UpdateContext } from "../context/context.ts";

/** Says in a group that something is for the private chat, with the button that leads there. */
export async function leadToPrivate(context: UpdateContext, start: string): Promise<void> {
  const url = deepLink(context.username, start);
  await tell(context, context.say("telegram.private"), {
    inline_keyboard: [[{ text: context.say("telegram.private.open"), url }]],
  });
}

/** What a bot is in a chat that it may write in, unless it is restricted there. */
export const INSIDE: ReadonlySet<string> = new Set(["member", "administrator"]);

/** Greets a group that the bot was added to, once. */
export const groupHandler: Handler = async (context) => {
  if (!("my_chat_member" in context.update)) return false;
  const { chat, old_chat_member: before, new_chat_member: after } = context.update.my_chat_member;
  const isGroup = chat.type === "group" || chat.type === "supergroup";
  const greeted = `greeted:${chat.id}`;
  const isNew = !INSIDE.has(before.status) && INSIDE.has(after.status);
  if (!isGroup || !isNew || (await context.memory.get(greeted))) return true;
  await context.memory.set(greeted, true);
  await tell(context, context.say("telegram.group.hello", { bot: context.username }));
  return true;
};
