import {
  ApplicationCommandOptionType as Kind,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from "discord.js";
import { cataloguesOf } from "../../../src/seam/browse/catalogues.ts";
import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import { choiceOption, commandName, described, optionName } from "./command-names.ts";
import { DISCORD } from "../api/limits.ts";
import { serverCommand } from "./server-command.ts";

/** In servers, in direct messages with the bot, and between people; for a server, or for somebody alone. */
export const EVERYWHERE = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

/** The option of `/templates` and `/models`: what to look for. */
export const SEARCH = "discord.option.search";

/** Longer than anything that somebody looks for, in characters. */
export const SEARCH_LENGTH = 100;

/** What leads somebody to their own page. */
export const STUDIO = "studio";

export const studioCommand: RESTPostAPIChatInputApplicationCommandsJSONBody = {
  ...commandName(STUDIO),
  ...described("chat.command.studio"),
  ...EVERYWHERE,
};

/** What was reported in a server, for those who moderate it: offered to them, unless its owner says otherwise. */
export const REPORTS = "reports";

const reportsCommand: RESTPostAPIChatInputApplicationCommandsJSONBody = {
  ...commandName(REPORTS),
  ...described("command.reports.description"),
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
  default_member_permissions: String(PermissionFlagsBits.ModerateMembers),
};

/** Every command but those that make something. */
export function wordCommands(
  specs: readonly CommandSpec[],
): RESTPostAPIChatInputApplicationCommandsJSONBody[] {
  const core = specs.filter(({ kind }) => kind === "command");
  // There is nothing to look through where the operator switched off what it is for.
  const browsed = (["templates", "models"] as const).filter((kind) => cataloguesOf(specs, kind).length > 0);
  return [...core.map(coreCommand), ...browsed.map(browseCommand), serverCommand, reportsCommand];
}

/**
 * What is asked beside a command's name: a required choice, and any other where there is nothing else to fill in.
 * Everything else has a form.
 */
export function choicesOf({ fields }: CommandSpec): readonly FieldSpec[] {
  const hasForm = fields.some(({ choices }) => !choices);
  return fields.filter(
    ({ required, choices }) => (required || !hasForm) && choices && choices.length <= DISCORD.command.choices,
  );
}

function coreCommand(spec: CommandSpec): RESTPostAPIChatInputApplicationCommandsJSONBody {
  return {
    ...commandName(spec.name),
    ...described(spec.description),
    ...EVERYWHERE,
    options: choicesOf(spec).map(choiceOption),
  };
}

function browseCommand(kind: "templates" | "models"): RESTPostAPIChatInputApplicationCommandsJSONBody {
  const search = {
    type: Kind.String,
    ...optionName(SEARCH),
    ...described("discord.option.search.description"),
  } as const;
  return {
    ...commandName(kind),
    ...described(`discord.command.${kind}`),
    ...EVERYWHERE,
    options: [{ ...search, required: false, max_length: SEARCH_LENGTH }],
  };
}
