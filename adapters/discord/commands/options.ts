import {
  type APIApplicationCommandBasicOption as Option,
  type APIApplicationCommandSubcommandOption as Subcommand,
  ApplicationCommandOptionType as Kind,
  ApplicationCommandType,
  type RESTPostAPIApplicationCommandsJSONBody as Command,
} from "discord.js";
import { cut } from "../../../src/seam/text/cut.ts";
import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import { type MessageKey, type Translate } from "../../../src/common/i18n.ts";
import {
  choiceName,
  choicesIn,
  commandName,
  described,
  describedBy,
  named,
  translated,
} from "./command-names.ts";
import { EVERYWHERE } from "./commands.ts";
import { DISCORD } from "../api/limits.ts";
import { menusFor } from "./menus.ts";
import { MAKE, PRIVATE, type FileSlot, slotName, slotsOf } from "./slots.ts";

/**
 * `/make` with a subcommand for everything that can be made, and what is offered under a message; of both only what leads
 * to something, as far as the operator switched nothing off.
 */
export function makeCommands(specs: readonly CommandSpec[]): Command[] {
  const operations = specs.filter(({ kind }) => kind === "operation");
  if (operations.length === 0) return [];
  const make: Command = {
    ...commandName(MAKE),
    ...described("discord.command.make"),
    ...EVERYWHERE,
    options: operations.map(subcommand),
  };
  return [make, ...menusFor(operations).map(menu)];
}

function menu(label: MessageKey): Command {
  return { type: ApplicationCommandType.Message, ...choiceName(label), ...EVERYWHERE };
}

function subcommand({ name, description, fields }: CommandSpec): Subcommand {
  return {
    type: Kind.Subcommand,
    ...commandName(name),
    ...described(description),
    options: [...slotsOf(fields).map(option), secrecy],
  };
}

const secrecy: Option = {
  type: Kind.Boolean,
  name: PRIVATE,
  name_localizations: translated((say) => say("discord.option.private")),
  ...described("discord.option.private.description"),
};

function option(slot: FileSlot): Option {
  const { field, index, required } = slot;
  const facts = {
    ...named((say) => slotName(say, field, index)),
    ...describedBy((say) => description(say, slot)),
    required,
  };
  switch (field.control) {
    case "image":
    case "images":
    case "mask":
    case "sounds":
      return { type: Kind.Attachment, ...facts };
    case "number":
      return field.integer
        ? { type: Kind.Integer, ...facts, ...boundsOf(field) }
        : { type: Kind.Number, ...facts, ...boundsOf(field) };
    case "switch":
      return { type: Kind.Boolean, ...facts };
    case "choice":
    case "catalogue":
      return isSuggested(field)
        ? { type: Kind.String, ...facts, autocomplete: true }
        : { type: Kind.String, ...facts, choices: choicesIn(field) };
    case "text":
    case "secret":
      return { type: Kind.String, ...facts, ...lengthOf(field) };
    default:
      return field.control satisfies never;
  }
}

function description(say: Translate, { field: { label, hint }, index }: FileSlot): string {
  const text = index > 0 ? `${say(label)} (${index + 1})` : hint ? `${say(label)}. ${say(hint)}` : say(label);
  return cut(text, DISCORD.command.description);
}

/** Choices are listed where they are few: all that are listed count into the size of the whole command. */
const LISTED = 3;

/** Whether a field's values are offered while somebody types. */
const isSuggested = ({ control, choices = [] }: FieldSpec) =>
  control === "catalogue" || choices.length > LISTED;

/** Discord's bounds include both ends. */
function boundsOf({ min, max }: FieldSpec) {
  return { ...(min !== undefined && { min_value: min }), ...(max !== undefined && { max_value: max }) };
}

/** Longer words than an option takes go into a modal. */
function lengthOf({ maxLength = Infinity }: FieldSpec) {
  return maxLength < DISCORD.command.text ? { max_length: maxLength } : {};
}
