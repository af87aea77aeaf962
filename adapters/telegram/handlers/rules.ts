import { ownPart } from "../../../src/seam/text/actions.ts";
import type { Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { addressOf, type RulesScreen, SCREENS } from "../context/address.ts";
import { chatOf } from "../context/chat-context.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import { type Handler, tokenOf, type UpdateContext } from "../context/context.ts";
import { isAnonymous } from "../context/origin.ts";
import { ALL, allowedIn, RULES } from "../messages/rules.ts";
import { leadToPrivate } from "./groups.ts";
import { rulesOf } from "./links.ts";
import { type GroupOrigin, managed } from "./managed.ts";
import { questions } from "./platform.ts";
import { answerPress, pressedMessage } from "./press.ts";
import { awaitPlace } from "./report-place.ts";
import { listReports } from "./reports.ts";

/** Leads those who manage a group to its rules, in the private chat: a group is no place for a key. */
export const rulesHandler: Handler = async (context) => {
  if (commandIn(context)?.name.toLowerCase() !== "group") return pressRules(context);
  const { chat } = addressOf(context.origin.address);
  if (context.origin.audience === "private") throw new ReelayError("not_in_group");
  const message = messageOf(context);
  // Whoever writes as the group manages it; who that is shows when they open the link.
  if (!message || !isAnonymous(message)) await managed(context, chat);
  await leadToPrivate(context, rulesOf(chat));
  return true;
};

/** Shows a group's rules, with what changes them. @throws ReelayError `not_manager` */
export async function showRules(context: UpdateContext, group: number): Promise<void> {
  await changeRules(context, await managed(context, group), "main", {});
}

/** Stores the key that is to pay in a group. @throws ReelayError `not_manager` */
export async function connectGroup(context: UpdateContext, group: number, key: string): Promise<void> {
  const origin = await managed(context, group);
  if (await context.intake.command(origin, "group-connect", { key }))
    await changeRules(context, origin, "main", {});
}

async function pressRules(context: UpdateContext): Promise<boolean> {
  const [group, show, what = ""] = ownPart(tokenOf(context), RULES)?.split(":") ?? [];
  const screen = SCREENS.find((one) => one === show);
  if (!screen) return false;
  await answerPress(context);
  const origin = await managed(context, Number(group));
  if (what === "connect") await questions.ask(context, "group_key", group);
  else if (what === "reports") await listReports(context, origin);
  else if (what === "reports_to=there") await awaitPlace(context, origin);
  else if (what === "disconnect") await context.intake.command(origin, "group-disconnect", {});
  else await changeRules(context, origin, screen, await changeOf(context, origin, what));
  return true;
}

/** What a pressed button changes: `rule=value`; one more or one less of the operations that are allowed. */
async function changeOf(
  { intake }: UpdateContext,
  { chat, address }: GroupOrigin,
  what: string,
): Promise<Values> {
  const [rule = "", value = ""] = what.split("=");
  if (rule === "") return {};
  // Another chat is chosen in that chat alone.
  if (rule === "reports_to") return { [rule]: value === "me" ? String(addressOf(address).chat) : ALL };
  const isCount = rule === "member_daily" || rule === "daily" || rule.endsWith("_tokens");
  if (isCount && value !== "all") return { [rule]: Number(value) };
  if (rule !== "allow" && rule !== "forbid") return { [rule]: value };
  const others = (await allowedIn(intake, chat)).filter((one) => one !== value);
  const left = rule === "allow" ? [...others, value] : others;
  // None at all is no rule: whoever wants that removes the bot.
  return left.length > 0 ? { operations: left.join(",") } : {};
}

/** Changes a group's rules and shows them, in the place of those that were pressed. */
async function changeRules(
  context: UpdateContext,
  origin: GroupOrigin,
  show: RulesScreen,
  change: Values,
): Promise<void> {
  const message = pressedMessage(context)?.message;
  const rules = { group: chatOf(origin.chat), show, ...(message !== undefined && { message }) };
  await context.intake.command({ ...origin, address: { ...origin.address, rules } }, "group", change);
}
