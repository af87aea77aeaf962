import type { ChatId } from "../../../src/seam/values.ts";
import { addressOf } from "../context/address.ts";
import { chatOf, roomOf } from "../context/chat-context.ts";
import type { UpdateContext } from "../context/context.ts";
import { type GroupOrigin, managed } from "./managed.ts";
import { tell } from "./tell.ts";

/** How long a manager has to go to the chat that they chose to name, in milliseconds. */
const CHOOSING_MS = 10 * 60_000;

const keyOf = ({ origin }: Pick<UpdateContext, "origin">) => `report-place:${origin.user}`;

/** Remembers that somebody who manages a group is about to say in another chat that its reports are to go there, and says how. */
export async function awaitPlace(context: UpdateContext, { chat }: GroupOrigin): Promise<void> {
  await context.memory.set(keyOf(context), chat, CHOOSING_MS);
  await tell(context, context.say("telegram.group.log_how"));
}

/**
 * Has the reports of the group that somebody chose before told in the group or topic where they say so; what comes of it is
 * said to them in private, with the group's rules.
 * @returns whether they had chosen one
 * @throws ReelayError `not_manager` where they do not manage both
 */
export async function directHere(context: UpdateContext): Promise<boolean> {
  const { intake, memory, origin } = context;
  const about = await memory.get<ChatId>(keyOf(context));
  if (about === undefined || origin.audience === "private") return false;
  const there = addressOf(origin.address);
  await managed(context, there.chat);
  const manager = await managed(context, chatOf(about));
  await memory.delete(keyOf(context));
  const rules = { group: chatOf(manager.chat), show: "main" } as const;
  const address = { chat: chatOf(origin.user), locale: there.locale, rules };
  await intake.command({ ...manager, address }, "group", { reports_to: roomOf(there) });
  return true;
}
