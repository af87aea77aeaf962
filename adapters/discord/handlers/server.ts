import { InteractionType } from "discord.js";
import type { Values } from "../../../src/seam/values.ts";
import { callOf, type CommandCall } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { type Handler, idOf, type InteractionContext } from "../context/context.ts";
import { ALL, LANGUAGE, QUOTA, SERVER, type ServerStep } from "../commands/server-command.ts";
import { channelMenu, EVERY, type MenuRule, operationMenu, SERVER_MARK } from "../commands/server-menus.ts";

/** What each subcommand does. The core checks who manages the server, and says so where they do not. */
const STEPS: Readonly<
  Record<ServerStep, (context: InteractionContext, call: CommandCall) => Promise<unknown>>
> = {
  show: (context) => setRules(context, {}),
  channels: ({ reply, say }) => reply.tell(channelMenu(say)),
  operations: ({ reply, say, intake }) => reply.tell(operationMenu(say, intake.commands)),
  key: ({ intake, origin }) => intake.command(origin, "group-connect", {}),
  "remove-key": ({ intake, origin }) => intake.command(origin, "group-disconnect", {}),
  quota: (context, call) => setRules(context, { member_daily: optionOf(call, QUOTA) }),
  language: (context, call) => setRules(context, { locale: optionOf(call, LANGUAGE) }),
};

/** The rule of the core's that each menu sets. */
const RULES: Readonly<Record<MenuRule, string>> = { channels: "rooms", operations: "operations" };

/** Sets what those who manage a server may set. */
export const serverHandler: Handler = async (context) => {
  const call = callOf(context.interaction);
  const step = SERVER.steps.find((candidate) => candidate === call?.step);
  if (call?.name !== SERVER.name || !step) return pick(context);
  await STEPS[step](context, call);
  return true;
};

/** Takes what was picked from one of the menus. */
async function pick(context: InteractionContext): Promise<boolean> {
  const id = idOf(context, SERVER_MARK);
  const rules: readonly MenuRule[] = ["channels", "operations"];
  const rule = rules.find((candidate) => candidate === id || EVERY + candidate === id);
  if (!rule || context.interaction.type !== InteractionType.MessageComponent) return false;
  const { data } = context.interaction;
  await setRules(context, { [RULES[rule]]: "values" in data ? data.values.join(",") : ALL });
  return true;
}

const setRules = ({ intake, origin }: InteractionContext, rules: Values) =>
  intake.command(origin, "group", rules);

const optionOf = ({ options }: CommandCall, label: typeof QUOTA | typeof LANGUAGE) =>
  options.get(optionName(label).name) ?? ALL;
