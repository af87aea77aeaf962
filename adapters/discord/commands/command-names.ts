import { Locale as DiscordLocale } from "discord.js";
import {
  hasMessage,
  type Locale,
  type MessageKey,
  type Translate,
  translator,
} from "../../../src/common/i18n.ts";
import { fit } from "../messages/components.ts";
import { DISCORD } from "../api/limits.ts";

/** What Discord calls the languages besides English, which everybody else reads. */
const LANGUAGES: readonly (readonly [DiscordLocale, Locale])[] = [
  [DiscordLocale.German, "de"],
  [DiscordLocale.Polish, "pl"],
];

/** A text by what Discord calls its language. */
export type Translated = Partial<Record<DiscordLocale, string>>;

/**
 * A command's name; in other languages one of their own, where there is one. It is found by either.
 * @param within the command that it is a subcommand of
 */
export function commandName(name: string, within?: string): { name: string; name_localizations: Translated } {
  const key = `discord.name.${within === undefined ? name : `${within}.${name}`}`;
  return { name, name_localizations: hasMessage(key) ? translated((say) => say(key)) : {} };
}

/** An option's name, made of its label: lower case, words held together by hyphens. */
export function optionName(label: MessageKey): { name: string; name_localizations: Translated } {
  const name = (say: Translate) =>
    say(label)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .slice(0, DISCORD.command.name);
  return { name: name(translator("en")), name_localizations: translated(name) };
}

/** What is read beside a name. */
export function described(key: MessageKey): { description: string; description_localizations: Translated } {
  const description = (say: Translate) => fit(say(key), DISCORD.command.description);
  return {
    description: description(translator("en")),
    description_localizations: translated(description),
  };
}

/** A choice's name. */
export function choiceName(label: MessageKey): { name: string; name_localizations: Translated } {
  const name = (say: Translate) => fit(say(label), DISCORD.command.choice);
  return { name: name(translator("en")), name_localizations: translated(name) };
}

/** What a text says in the languages besides English. */
export function translated(text: (say: Translate) => string): Translated {
  return Object.fromEntries(LANGUAGES.map(([name, locale]) => [name, text(translator(locale))]));
}
