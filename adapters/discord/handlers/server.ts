import { InteractionType } from "discord.js";
import type { Values } from "../../../src/chat/values.ts";
import { callOf, type Call } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { type Clerk, idOf, type Visit } from "../context/context.ts";
import { ALL, LANGUAGE, QUOTA, SERVER, type ServerStep } from "../commands/server-command.ts";
import { channelMenu, EVERY, type MenuRule, operationMenu, SERVER_MARK } from "../commands/server-menus.ts";

/** What each subcommand does. The core checks who manages the server, and says so where they do not. */
const STEPS: Readonly<Record<ServerStep, (visit: Visit, call: Call) => Promise<unknown>>> = {
  show: (visit) => setRules(visit, {}),
  channels: ({ reply, say }) => reply.tell(channelMenu(say)),
  operations: ({ reply, say, intake }) => reply.tell(operationMenu(say, intake.commands)),
  key: ({ intake, origin }) => intake.command(origin, "group-connect", {}),
  "remove-key": ({ intake, origin }) => intake.command(origin, "group-disconnect", {}),
  quota: (visit, call) => setRules(visit, { member_daily: optionOf(call, QUOTA) }),
  language: (visit, call) => setRules(visit, { locale: optionOf(call, LANGUAGE) }),
};

/** The rule of the core's that each menu sets. */
const RULES: Readonly<Record<MenuRule, string>> = { channels: "rooms", operations: "operations" };

/** Sets what those who manage a server may set. */
export const serverClerk: Clerk = async (visit) => {
  const call = callOf(visit.deed);
  const step = SERVER.steps.find((candidate) => candidate === call?.step);
  if (call?.name !== SERVER.name || !step) return pick(visit);
  await STEPS[step](visit, call);
  return true;
};

/** Takes what was picked from one of the menus. */
async function pick(visit: Visit): Promise<boolean> {
  const id = idOf(visit, SERVER_MARK);
  const rules: readonly MenuRule[] = ["channels", "operations"];
  const rule = rules.find((candidate) => candidate === id || EVERY + candidate === id);
  if (!rule || visit.deed.type !== InteractionType.MessageComponent) return false;
  const { data } = visit.deed;
  await setRules(visit, { [RULES[rule]]: "values" in data ? data.values.join(",") : ALL });
  return true;
}

const setRules = ({ intake, origin }: Visit, rules: Values) => intake.command(origin, "group", rules);

const optionOf = ({ options }: Call, label: typeof QUOTA | typeof LANGUAGE) =>
  options.get(optionName(label).name) ?? ALL;
