import type { FieldSpec } from "../../../src/seam/fields.ts";
import { roomOf, takesFiles } from "../../../src/seam/forms/filling.ts";
import { hasMessage, type Translate, translator } from "../../../src/common/i18n.ts";
import { DISCORD } from "../api/limits.ts";

/** The command that has a subcommand for everything that can be made. */
export const MAKE = "make";

/** The option that keeps what is made between the person and the bot. */
export const PRIVATE = "private";

const english = translator("en");

/** One option of a subcommand: a field, or one file of a field for several. */
export interface FileSlot {
  /** As it is sent, and as those read it whose language has no other. */
  readonly name: string;
  readonly field: FieldSpec;
  /** Which file of the field, from 0. */
  readonly index: number;
  /** Whether Discord itself refuses the command without it. */
  readonly required: boolean;
}

/**
 * The options of an operation, in their order: what has to be attached, what most people choose, the rest. Words are
 * never required here: a modal asks for them with more room. What is beyond the most that Discord takes is only asked
 * by modals.
 */
export function slotsOf(fields: readonly FieldSpec[]): readonly FileSlot[] {
  const slots = fields.filter(({ control }) => control !== "secret").flatMap(slotsFor);
  const rank = ({ required, field, index }: FileSlot) => (required ? 0 : field.advanced || index > 0 ? 2 : 1);
  return slots.toSorted((a, b) => rank(a) - rank(b)).slice(0, DISCORD.command.options - 1);
}

function slotsFor(field: FieldSpec): FileSlot[] {
  const { required, minItems = 1 } = field;
  return Array.from({ length: roomOf(field) }, (_, index) => ({
    name: slotName(english, field, index),
    field,
    index,
    required: required && takesFiles(field) && index < minItems,
  }));
}

/** What people read: "image", "image_2". */
export function slotName(say: Translate, { name }: FieldSpec, index: number): string {
  const key = `discord.option.${name}`;
  const first = hasMessage(key) ? say(key) : name;
  return index === 0 ? first : `${first}_${index + 1}`;
}
