import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import { takesFiles, withFile, withValue } from "../../../src/seam/forms/filling.ts";
import type { Values } from "../../../src/seam/values.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { AnyInteraction } from "../context/interaction.ts";
import { attached } from "../media/media.ts";
import { callOf, type CommandCall } from "./command-call.ts";
import { type FileSlot, MAKE, PRIVATE, slotsOf } from "./slots.ts";

/** What somebody wants to make, and what they gave for it with `/make`. */
export interface MakeCall {
  readonly spec: CommandSpec;
  /** Files are still Discord's; what is from a catalogue may be a name that was typed. */
  readonly values: Values;
  /** Whether what is made is theirs alone to see. */
  readonly secret: boolean;
}

/** A call of `/make`, also while it is typed; undefined for everything else that somebody does. */
export function makeCallOf(
  interaction: AnyInteraction,
  commands: readonly CommandSpec[],
  say: Translate,
): MakeCall | undefined {
  const call = callOf(interaction);
  const spec = commands.find(({ name, kind }) => name === call?.step && kind === "operation");
  if (call?.name !== MAKE || !spec) return undefined;
  return { spec, values: valuesOf(call, spec.fields, say), secret: call.options.get(PRIVATE) === true };
}

/** What the options of a call come to. */
function valuesOf(
  { options, attachments }: CommandCall,
  fields: readonly FieldSpec[],
  say: Translate,
): Values {
  const add = (values: Values, { name, field }: FileSlot): Values => {
    const given = options.get(name);
    if (given === undefined) return values;
    if (takesFiles(field)) {
      const file = attachments[String(given)];
      return file ? withFile(field, values, attached(file)) : values;
    }
    return withValue(values, field.name, typeof given === "string" ? choiceOf(field, given, say) : given);
  };
  return withImplied(fields, slotsOf(fields).reduce(add, {}));
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
