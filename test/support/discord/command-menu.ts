import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIUser,
  ApplicationCommandOptionType as Kind,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type Locale,
} from "discord.js";
import type { Channel } from "./channel.ts";
import { contextOf } from "./interaction.ts";
import type { World } from "./world.ts";

/** Somebody who looks for commands. */
export interface Seeker {
  readonly user: APIUser;
  readonly locale: Locale;
  /** Whether they have installed the app for themselves. */
  readonly installed: boolean;
}

/** A command with the way down to its options. */
export interface FoundCommand {
  readonly command: APIApplicationCommand;
  /** The names of groups and subcommands. */
  readonly path: readonly { readonly name: string; readonly type: Kind }[];
  readonly options: readonly APIApplicationCommandBasicOption[];
}

interface Named {
  readonly name: string;
  readonly name_localizations?: Partial<Record<Locale, string | null>> | null;
}

/** The name as somebody reads it. */
export const shownName = (named: Named, locale: Locale): string =>
  named.name_localizations?.[locale] ?? named.name;

/** Whether a name is meant: the translated one, or the one that it translates, which clients find too. */
export const isNamed = (named: Named, typed: string, locale: Locale): boolean =>
  typed === shownName(named, locale) || typed === named.name;

/** The commands that somebody is offered in a channel. */
export function offered(
  world: World,
  { user, installed }: Seeker,
  channel: Channel,
): APIApplicationCommand[] {
  const { guild } = channel;
  const mine = guild ? guild.permissionsOf(user.id) : 0n;
  return [...world.commands.of(), ...(guild ? world.commands.of(guild.id) : [])].filter((command) => {
    const types = command.integration_types ?? [];
    const isInstalled =
      (channel.knowsBot && types.includes(ApplicationIntegrationType.GuildInstall)) ||
      (installed && types.includes(ApplicationIntegrationType.UserInstall));
    const needed = BigInt(command.default_member_permissions ?? 0);
    return (
      isInstalled &&
      (command.contexts ?? []).includes(contextOf(channel)) &&
      (!guild || (mine & needed) === needed) &&
      (!command.nsfw || channel.nsfw || !guild)
    );
  });
}

/**
 * Finds what is typed, "/make video", or what is chosen from a message's menu, "Animate".
 * @throws Error when nobody would be offered it there
 */
export function findCommand(world: World, seeker: Seeker, channel: Channel, typed: string): FoundCommand {
  const isSlash = typed.startsWith("/");
  const words = isSlash ? typed.slice(1).split(" ") : [typed];
  const type = isSlash ? ApplicationCommandType.ChatInput : ApplicationCommandType.Message;
  const commands = offered(world, seeker, channel).filter((one) => one.type === type);
  const command = commands.find((one) => isNamed(one, words[0] ?? "", seeker.locale));
  if (!command) {
    const names = commands.map((one) => shownName(one, seeker.locale)).join(", ");
    throw new Error(`${seeker.user.username} is offered no command ${typed} here, but: ${names}`);
  }
  let options: readonly APIApplicationCommandOption[] = command.options ?? [];
  const path: { name: string; type: Kind }[] = [];
  for (const word of words.slice(1)) {
    const found = options.find((one) => isNamed(one, word, seeker.locale));
    if (found?.type !== Kind.Subcommand && found?.type !== Kind.SubcommandGroup) {
      throw new Error(`The command ${typed} has no subcommand ${word}.`);
    }
    path.push({ name: found.name, type: found.type });
    options = found.options ?? [];
  }
  const isIncomplete = options.some(({ type }) => type === Kind.Subcommand || type === Kind.SubcommandGroup);
  if (isIncomplete) throw new Error(`The command ${typed} needs a subcommand.`);
  return { command, path, options: options as readonly APIApplicationCommandBasicOption[] };
}
