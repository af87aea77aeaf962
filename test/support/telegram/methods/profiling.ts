import { codePoints } from "../html.ts";
import type { TelegramLimits } from "../limits.ts";
import type { BotCommand, CommandScope, MenuButton } from "../profile.ts";
import { badRequest } from "../refusal.ts";
import type { World } from "../world.ts";

interface Menu {
  readonly scope?: CommandScope;
  readonly language_code?: string;
}

/** API: a two-letter ISO 639-1 code, or none. */
function language({ language_code: code = "" }: { readonly language_code?: string }): string {
  if (!/^([a-z]{2})?$/.test(code)) throw badRequest("invalid language code specified");
  return code;
}

function checkCommand({ command, description }: BotCommand, limits: TelegramLimits): void {
  if (!/^[a-z\d_]{1,32}$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
  const length = codePoints(description);
  if (length < 1 || length > limits.commandDescription) throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
}

function setMyCommands(world: World, params: Menu & { readonly commands: readonly BotCommand[] }): true {
  if (params.commands.length > world.limits.commands) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  for (const command of params.commands) checkCommand(command, world.limits);
  world.profile.setCommands(params.commands, params.scope, language(params));
  return true;
}

function deleteMyCommands(world: World, params: Menu): true {
  world.profile.setCommands([], params.scope, language(params));
  return true;
}

interface Described {
  readonly description?: string;
  readonly short_description?: string;
  readonly language_code?: string;
}

function setMyDescription(world: World, params: Described): true {
  const { description = "" } = params;
  if (codePoints(description) > world.limits.descriptionLength) throw badRequest("BOT_DESCRIPTION_TOO_LONG");
  world.profile.descriptions.set(language(params), description);
  return true;
}

function setMyShortDescription(world: World, params: Described): true {
  const { short_description: description = "" } = params;
  if (codePoints(description) > world.limits.shortDescriptionLength)
    throw badRequest("BOT_SHORT_DESCRIPTION_TOO_LONG");
  world.profile.shortDescriptions.set(language(params), description);
  return true;
}

interface Named {
  readonly name?: string;
  readonly language_code?: string;
}

function setMyName(world: World, params: Named): true {
  const { name = "" } = params;
  if (codePoints(name) > world.limits.nameLength) throw badRequest("BOT_NAME_TOO_LONG");
  world.profile.names.set(language(params), name);
  return true;
}

function setChatMenuButton(
  world: World,
  { menu_button: button }: { readonly menu_button?: MenuButton },
): true {
  if (button?.web_app && !button.web_app.url.startsWith("https://"))
    throw badRequest("menu button web app URL is invalid: Only HTTPS links are allowed");
  world.profile.menuButton = button ?? { type: "default" };
  return true;
}

export const profiling = {
  getMe: (world: World) => ({
    ...world.bot,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: true,
  }),
  setMyCommands,
  deleteMyCommands,
  getMyCommands: (world: World, params: Menu) => world.profile.commands(params.scope, language(params)),
  setChatMenuButton,
  getChatMenuButton: (world: World) => world.profile.menuButton,
  setMyName,
  getMyName: (world: World, params: Named) => ({
    // Seen: where there is none in a language, the one for all others is told.
    name: world.profile.names.get(language(params)) ?? world.profile.names.get("") ?? world.bot.first_name,
  }),
  setMyDescription,
  getMyDescription: (world: World, params: Described) => ({
    description: world.profile.descriptions.get(language(params)) ?? "",
  }),
  setMyShortDescription,
  getMyShortDescription: (world: World, params: Described) => ({
    short_description: world.profile.shortDescriptions.get(language(params)) ?? "",
  }),
};
