import { deepLink } from "./links.ts";
import { tell } from "./tell.ts";
import { isMeant } from "../context/addressed.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { isAnonymous } from "../context/origin.ts";

/** Says in a group that something is for the private chat, with the button that leads there. */
export async function leadToPrivate(context: UpdateContext, start: string): Promise<void> {
  const url = deepLink(context.username, start);
  await tell(context, context.say("telegram.private"), {
    inline_keyboard: [[{ text: context.say("telegram.private.open"), url }]],
  });
}

/** What a bot is in a chat that it may write in, unless it is restricted there. */
export const INSIDE: ReadonlySet<string> = new Set(["member", "administrator"]);

/** Takes the rules and the key of a group along that became a supergroup; leaves the update to others. */
export const movedHandler: Handler = async ({ update, intake }) => {
  if ("message" in update && "migrate_to_chat_id" in update.message) {
    const { chat, migrate_to_chat_id: to } = update.message;
    await intake.groupMoved(`telegram:${chat.id}`, `telegram:${to}`);
  }
  return false;
};

/** Greets a group that the bot was added to, once; of one that it was taken out of, rules and key are erased. */
export const groupHandler: Handler = async (context) => {
  if (!("my_chat_member" in context.update)) return false;
  const { chat, old_chat_member: before, new_chat_member: after } = context.update.my_chat_member;
  const isGroup = chat.type === "group" || chat.type === "supergroup";
  if (isGroup && (after.status === "kicked" || after.status === "left"))
    await context.intake.forgetGroup(`telegram:${chat.id}`);
  const greeted = `greeted:${chat.id}`;
  const isNew = !INSIDE.has(before.status) && INSIDE.has(after.status);
  if (!isGroup || !isNew || (await context.memory.get(greeted))) return true;
  await context.memory.set(greeted, true);
  await tell(context, context.say("telegram.group.hello", { bot: context.username }));
  return true;
};

/** What is done for whoever writes as the group: that begins nothing that is paid for, and is nobody's own. */
const FOR_NOBODY: ReadonlySet<string> = new Set(["group", "reports", "help"]);

/** Tells whoever speaks to the bot as the group that nothing is made for nobody. */
export const anonymousHandler: Handler = async (context) => {
  const message = messageOf(context);
  if (!message || !isAnonymous(message)) return false;
  const command = commandIn(context);
  const isForOthers = command && !isMeant(context, command);
  if (isForOthers || FOR_NOBODY.has(command?.name.toLowerCase() ?? "")) return false;
  await tell(context, context.say("telegram.anonymous"));
  return true;
};
