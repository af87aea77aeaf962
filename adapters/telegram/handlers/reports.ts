import { ownPart } from "../../../src/seam/text/actions.ts";
import { addressOf } from "../context/address.ts";
import { chatOf, roomOf } from "../context/chat-context.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import { type Handler, tokenOf, type UpdateContext } from "../context/context.ts";
import { isAnonymous } from "../context/origin.ts";
import { MODERATED } from "../messages/moderated.ts";
import { leadToPrivate } from "./groups.ts";
import { reportsOf } from "./links.ts";
import { type GroupOrigin, managed } from "./managed.ts";
import { answerPress } from "./press.ts";
import { directHere } from "./report-place.ts";

/** Said behind the command in the group or topic where reports are to be told. */
const HERE = "here";

/** Leads those who manage a group to what was reported there, in the private chat: no member is to see who decides about whom. */
export const reportsHandler: Handler = async (context) => {
  const command = commandIn(context);
  if (command?.name.toLowerCase() !== "reports") return decide(context);
  if (command.words.trim().toLowerCase() === HERE && (await directHere(context))) return true;
  const { origin, intake } = context;
  const { chat } = addressOf(origin.address);
  if (origin.audience === "private") await intake.command(origin, "reports", {});
  else {
    const message = messageOf(context);
    // Whoever writes as the group manages it; who that is shows when they open the link.
    if (!message || !isAnonymous(message)) await managed(context, chat);
    await leadToPrivate(context, reportsOf(chat));
  }
  return true;
};

/** Shows what was reported in a group. @throws ReelayError `not_manager` */
export async function showReports(context: UpdateContext, group: number): Promise<void> {
  await listReports(context, await managed(context, group));
}

/** Shows it to somebody who was just seen to manage the group. */
export async function listReports({ intake }: UpdateContext, origin: GroupOrigin): Promise<void> {
  await intake.command(moderating(origin), "reports", {});
}

/** Presses a button of the core's as one of those who manage the group that it is about. */
async function decide(context: UpdateContext): Promise<boolean> {
  const [, group, token] = /^(-\d+):(.+)$/.exec(ownPart(tokenOf(context), MODERATED) ?? "") ?? [];
  if (token === undefined) return false;
  await answerPress(context);
  await context.intake.act(moderating(await managed(context, Number(group))), token);
  return true;
}

/** What is answered is about the group, too; where they decide is what tells whether a notice there says so already. */
function moderating(origin: GroupOrigin): GroupOrigin {
  const { address, chat } = origin;
  const room = roomOf(addressOf(address));
  return { ...origin, room, address: { ...address, moderated: chatOf(chat) } };
}
