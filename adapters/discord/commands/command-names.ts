import {
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType as Kind,
  Locale as DiscordLocale,
} from "discord.js";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import {
  hasMessage,
  knownLocale,
  LOCALES,
  type MessageKey,
  type Translate,
  translator,
} from "../../../src/common/i18n.ts";
import { fit } from "../messages/components.ts";
import { DISCORD } from "../api/limits.ts";
import { beginning } from "../../../src/seam/text/cut.ts";

/** What Discord calls the languages besides English, which everybody else reads. */
const LANGUAGES = LOCALES.filter((locale) => locale !== "en").flatMap((locale) =>
  Object.values(DiscordLocale)
    .filter((name) => knownLocale(name) === locale)
    .map((name) => [name, locale] as const),
);

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

/** A name, in English and in the other languages. */
export const named = (name: (say: Translate) => string) => ({
  name: name(translator("en")),
  name_localizations: translated(name),
});

/** What is read beside a name. */
export const describedBy = (description: (say: Translate) => string) => ({
  description: description(translator("en")),
  description_localizations: translated(description),
});

/** An option's name, made of its label: lower case, words held together by hyphens. */
export const optionName = (label: MessageKey) =>
  named((say) =>
    beginning(
      say(label)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, "-"),
      DISCORD.command.name,
    ),
  );

/** What is read beside a name, by its message. */
export const described = (key: MessageKey) =>
  describedBy((say) => fit(say(key), DISCORD.command.description));

/** A choice's name. */
export const choiceName = (label: MessageKey) => named((say) => fit(say(label), DISCORD.command.choice));

/** A field's choices by their names. */
export function choicesIn({ choices = [] }: Pick<FieldSpec, "choices">) {
  return choices.map(({ value, label }) => ({
    ...(label ? choiceName(label) : { name: String(value) }),
    value: String(value),
  }));
}

/** The option of a command that one of a field's choices is given by. */
export function choiceOption(
  field: Pick<FieldSpec, "label" | "required" | "choices">,
): APIApplicationCommandStringOption {
  const { label, required } = field;
  return {
    type: Kind.String,
    ...optionName(label),
    ...described(label),
    required,
    choices: choicesIn(field),
  };
}

/** What a text says in the languages besides English. */
export function translated(text: (say: Translate) => string): Translated {
  return Object.fromEntries(LANGUAGES.map(([name, locale]) => [name, text(translator(locale))]));
}
