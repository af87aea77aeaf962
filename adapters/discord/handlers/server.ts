import {
  type APISelectMenuComponent,
  ChannelType,
  ComponentType,
  InteractionType,
  SelectMenuDefaultValueType,
} from "discord.js";
import { ownAction, ownToken } from "../../../src/seam/text/actions.ts";
import type { Group } from "../../../src/seam/access/groups.ts";
import type { Values } from "../../../src/seam/values.ts";
import { asReelayError, ReelayError } from "../../../src/common/errors.ts";
import { DISCORD } from "../api/limits.ts";
import { callOf, type CommandCall } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import {
  ALL,
  LANGUAGE,
  PERIOD,
  QUOTA,
  ROLE,
  SERVER,
  type ServerStep,
  TOKENS,
  WHOM,
} from "../commands/server-command.ts";
import { type Handler, idOf, type InteractionContext } from "../context/context.ts";
import { buttonRows, fit, menuRow } from "../messages/components.ts";
import { missingPermission } from "../messages/call.ts";
import { said } from "../messages/render.ts";

/** What each subcommand does. The core checks who manages the server, and says so where they do not. */
const STEPS: Readonly<
  Record<ServerStep, (context: InteractionContext, call: CommandCall) => Promise<unknown>>
> = {
  show: (context) => setRules(context, {}),
  // Whoever manages a server need not be offered what is for those who moderate its members.
  reports: ({ intake, origin }) => intake.command(origin, "reports", {}),
  log: async (context) => ask(context, "log", logSelect(await rulesIn(context))),
  channels: async (context) => ask(context, "channels", channelSelect(await rulesIn(context))),
  async operations(context, call) {
    const role = roleIn(context, call);
    return ask(context, "operations", operationSelect(context, await rulesIn(context), role), role);
  },
  adults: async (context) => ask(context, "adults", roleSelect(await rulesIn(context))),
  key: ({ intake, origin }) => intake.command(origin, "group-connect", {}),
  "remove-key": ({ intake, origin }) => intake.command(origin, "group-disconnect", {}),
  quota: (context, call) => {
    const role = roleIn(context, call);
    return setRules(context, { member_daily: optionOf(call, QUOTA), ...(role && { role }) });
  },
  limit: (context, call) => setRules(context, { daily: optionOf(call, QUOTA) }),
  budget: (context, call) => {
    const period = optionOf(call, PERIOD) === "month" ? "month" : "day";
    const rule =
      optionOf(call, WHOM) === "member" ? (`member_${period}_tokens` as const) : `${period}_tokens`;
    return setRules(context, { [rule]: optionOf(call, TOKENS) });
  },
  language: (context, call) => setRules(context, { locale: optionOf(call, LANGUAGE) }),
};

/** What is set by a menu, by the rule of the core's. */
const RULES = {
  channels: "rooms",
  operations: "operations",
  adults: "mature_roles",
  log: "reports_to",
} as const;

type MenuRule = keyof typeof RULES;

/** The mark of the menus here. */
const MENU = "s";

/** Pressed instead of picking: takes the restriction back. */
const EVERY = "every.";

/** Sets what those who manage a server may set. */
export const serverHandler: Handler = async (context) => {
  const call = callOf(context.interaction);
  const step = SERVER.steps.find((candidate) => candidate === call?.step);
  if (call?.name !== SERVER.name || !step) return pick(context);
  await STEPS[step](context, call);
  return true;
};

async function pick(context: InteractionContext): Promise<boolean> {
  const id = idOf(context, MENU);
  const rules: readonly MenuRule[] = ["channels", "operations", "adults", "log"];
  const [name = "", role] = id?.replace(EVERY, "").split(":") ?? [];
  const rule = rules.find((candidate) => candidate === name);
  if (!rule || context.interaction.type !== InteractionType.MessageComponent) return false;
  const { data, guild_id: everybody } = context.interaction;
  const picked: readonly string[] = "values" in data ? data.values : [];
  const given = picked.some((id) => id === everybody) ? ALL : picked.join(",") || ALL;
  await setRules(context, { [RULES[rule]]: given, ...(role && { role }) });
  return true;
}

/** @throws ReelayError `log_permission_missing`, and what the core refuses */
async function setRules({ intake, origin, say }: InteractionContext, rules: Values): Promise<void> {
  try {
    await intake.run(origin, "group", rules);
  } catch (error) {
    const { cause } = asReelayError(error);
    const permission = missingPermission(cause, "send_messages");
    if (!permission) throw error;
    throw new ReelayError("log_permission_missing", { permission: say(permission) }, { cause });
  }
}

/** What is set now: the menus begin with it. */
const rulesIn = async ({ intake, origin }: InteractionContext): Promise<Group> =>
  origin.chat === undefined ? {} : intake.rulesIn(origin.chat);

/** The role that something is for; undefined for everybody, whose "role" has the server's id and is in nobody's list. */
function roleIn({ interaction }: InteractionContext, { options }: CommandCall): string | undefined {
  const role = options.get(optionName(ROLE).name);
  return role === undefined || role === interaction.guild_id ? undefined : String(role);
}

/** What a menu or a button here is about. */
const forRole = (rule: MenuRule, role: string | undefined) => (role === undefined ? rule : `${rule}:${role}`);

const optionOf = ({ options }: CommandCall, label: Parameters<typeof optionName>[0]) =>
  options.get(optionName(label).name) ?? ALL;

/** Asks what a rule is to be. @param select left out where there is nothing to pick: Discord takes no empty menu */
function ask(
  { reply, say }: InteractionContext,
  rule: MenuRule,
  select?: APISelectMenuComponent,
  role?: string,
) {
  const rows = select ? [menuRow(select, say(`discord.server.${rule}.pick`))] : [];
  const every = ownAction(MENU, EVERY + forRole(rule, role), { key: `discord.server.${rule}.all` });
  return reply.tell(said(say(`discord.server.${rule}`), [...rows, ...buttonRows(say, [every])]));
}

/** The channels in which something may be made: where people talk; a thread is its channel's. */
const channelSelect = ({ rooms = [] }: Group): APISelectMenuComponent => ({
  type: ComponentType.ChannelSelect,
  ...chosen(rooms, SelectMenuDefaultValueType.Channel),
  custom_id: ownToken(MENU, "channels"),
  channel_types: [
    ChannelType.GuildText,
    ChannelType.GuildAnnouncement,
    ChannelType.GuildVoice,
    ChannelType.GuildForum,
  ],
  max_values: DISCORD.selectOptions,
});

/** The channel in which those who manage the server are told what is reported. */
const logSelect = ({ log }: Group): APISelectMenuComponent => ({
  type: ComponentType.ChannelSelect,
  ...chosen(log ? [log.to.slice("discord:".length)] : [], SelectMenuDefaultValueType.Channel),
  custom_id: ownToken(MENU, "log"),
  channel_types: [ChannelType.GuildText],
});

/** The roles whose members alone may do something; everybody's is one of them. */
const roleSelect = ({ matureRoles = [] }: Group): APISelectMenuComponent => ({
  type: ComponentType.RoleSelect,
  ...chosen(matureRoles, SelectMenuDefaultValueType.Role),
  custom_id: ownToken(MENU, "adults"),
  max_values: DISCORD.selectOptions,
});

/** What a menu begins with: as many as can be picked in it, so none at all is left out (components/reference). */
const chosen = <T extends SelectMenuDefaultValueType>(ids: readonly string[], type: T) =>
  ids.length > 0 ? { default_values: ids.slice(0, DISCORD.selectOptions).map((id) => ({ id, type })) } : {};

/** What may be made; nothing where the operator switched everything off. */
function operationSelect(
  { say, intake }: InteractionContext,
  { operations, roleOperations = {} }: Group,
  role: string | undefined,
): APISelectMenuComponent | undefined {
  const allowed = role === undefined ? operations : roleOperations[role];
  const options = intake.commands
    .filter(({ kind }) => kind === "operation")
    .slice(0, DISCORD.selectOptions)
    .map(({ name, label }) => ({
      label: fit(say(label), DISCORD.selectText),
      value: name,
      default: allowed?.includes(name) ?? false,
    }));
  const custom_id = ownToken(MENU, forRole("operations", role));
  const { length } = options;
  return length > 0
    ? { type: ComponentType.StringSelect, custom_id, options, max_values: length }
    : undefined;
}
