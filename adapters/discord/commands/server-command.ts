import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType as Kind,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from "discord.js";
import { MOST_TOKENS } from "../../../src/seam/forms/wanted.ts";
import { LOCALES, type MessageKey } from "../../../src/common/i18n.ts";
import { choiceOption, commandName, described, optionName } from "./command-names.ts";

/** What managers of a server can do. */
export const SERVER = {
  name: "server",
  steps: [
    "show",
    "reports",
    "log",
    "channels",
    "operations",
    "adults",
    "key",
    "remove-key",
    "quota",
    "limit",
    "budget",
    "language",
  ],
} as const;

/** One of {@link SERVER}'s subcommands. */
export type ServerStep = (typeof SERVER.steps)[number];

/** Takes a restriction back. */
export const ALL = "all";

/** The options of subcommands. */
export const QUOTA = "discord.option.quota";
export const ROLE = "discord.option.role";
export const LANGUAGE = "field.locale";
export const WHOM = "discord.option.whom";
export const PERIOD = "discord.option.period";
export const TOKENS = "discord.option.tokens";

/** The most jobs a day that the core takes. */
const MOST_JOBS = 1_000_000;

const jobs = (description: MessageKey): APIApplicationCommandBasicOption => ({
  type: Kind.Integer,
  ...optionName(QUOTA),
  ...described(description),
  min_value: 0,
  max_value: MOST_JOBS,
});

const role = (description: MessageKey): APIApplicationCommandBasicOption => ({
  type: Kind.Role,
  ...optionName(ROLE),
  ...described(description),
});

const OPTIONS: Partial<Record<ServerStep, readonly APIApplicationCommandBasicOption[]>> = {
  operations: [role("discord.option.role.operations")],
  quota: [jobs("discord.option.quota.description"), role("discord.option.role.description")],
  limit: [jobs("discord.option.limit.description")],
  budget: [
    choiceOption({
      label: WHOM,
      required: true,
      choices: [
        { value: "member", label: "discord.server.budget.member" },
        { value: "all", label: "discord.server.budget.all" },
      ],
    }),
    choiceOption({
      label: PERIOD,
      required: true,
      choices: [
        { value: "day", label: "period.day" },
        { value: "month", label: "period.month" },
      ],
    }),
    {
      type: Kind.Number,
      ...optionName(TOKENS),
      ...described("discord.option.tokens.description"),
      min_value: 0,
      max_value: MOST_TOKENS,
    },
  ],
  language: [
    choiceOption({
      label: LANGUAGE,
      required: true,
      choices: [
        ...LOCALES.map((value) => ({ value, label: `choice.locale.${value}` as const })),
        { value: ALL, label: "discord.server.language.own" },
      ],
    }),
  ],
};

/** `/server`: offered to those who manage the server, unless its owner says otherwise in Discord's own settings. */
export const serverCommand: RESTPostAPIChatInputApplicationCommandsJSONBody = {
  ...commandName(SERVER.name),
  ...described("discord.command.server"),
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
  default_member_permissions: String(PermissionFlagsBits.ManageGuild),
  options: SERVER.steps.map(subcommand),
};

function subcommand(step: ServerStep): APIApplicationCommandSubcommandOption {
  const options = OPTIONS[step];
  return {
    type: Kind.Subcommand,
    ...commandName(step, SERVER.name),
    ...described(`discord.command.server.${step}`),
    ...(options && { options: [...options] }),
  };
}
