import type { APIAttachment } from "discord.js";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { takesFiles, withFile, withValue } from "../../../src/seam/forms/filling.ts";
import type { Values } from "../../../src/seam/values.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { CommandCall } from "./command-call.ts";
import { attached } from "../media/media.ts";
import { PRIVATE, type FileSlot, slotsOf } from "./slots.ts";

/** Files by the ids that an interaction names them with. */
export type Attachments = Readonly<Record<string, APIAttachment>>;

/** What somebody gave with `/make`. */
export interface GivenOption {
  /** Files are still Discord's; what is from a catalogue may be a name that was typed. */
  readonly values: Values;
  /** Whether what is made is theirs alone to see. */
  readonly secret: boolean;
}

/** What the options of a call come to. */
export function givenWith(
  { options, attachments }: Pick<CommandCall, "options" | "attachments">,
  fields: readonly FieldSpec[],
  say: Translate,
): GivenOption {
  const add = (values: Values, { name, field }: FileSlot): Values => {
    const given = options.get(name);
    if (given === undefined) return values;
    if (takesFiles(field)) {
      const file = attachments[String(given)];
      return file ? withFile(field, values, attached(file)) : values;
    }
    return withValue(values, field.name, typeof given === "string" ? choiceOf(field, given, say) : given);
  };
  const values = slotsOf(fields).reduce(add, {});
  return { values: withImplied(fields, values), secret: options.get(PRIVATE) === true };
}

/** What makes sense only beside a choice was meant with that choice, where none was made. */
function withImplied(fields: readonly FieldSpec[], values: Values): Values {
  return fields.reduce((filled, { name, when }) => {
    const isImplied = when && filled[name] !== undefined && filled[when.field] === undefined;
    return isImplied ? withValue(filled, when.field, when.is) : filled;
  }, values);
}

/** The choice that is meant by its value, or by its name as people read it; other words are what they are. */
export function choiceOf({ choices = [] }: FieldSpec, words: string, say: Translate): string | number {
  const typed = words.trim().toLowerCase();
  const meant = choices.find(
    ({ value, label }) =>
      String(value).toLowerCase() === typed || (label && say(label).toLowerCase() === typed),
  );
  return meant?.value ?? words;
}
