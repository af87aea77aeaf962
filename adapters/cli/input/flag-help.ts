import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { SoundBounds } from "../../../src/infrastructure/media/sounds/bounds.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { kindsOfSounds, PICTURE_KINDS } from "../../../src/infrastructure/media/files/sniff.ts";
import { quote } from "./quote.ts";

/** The name of a field as command lines spell it. */
export function dashed(name: string): string {
  return name.replaceAll("_", "-");
}

/** The flag of a field. */
export const flagOf = (name: string) => `--${dashed(name)}`;

/** What the help says of a flag: what it is, then what may be given. */
export function describeFlag(translate: Translate, command: string, field: FieldSpec): string {
  const { label, hint, choices, unless, when, over, control } = field;
  const listing = listingOf(command, field);
  const notes = [
    ...fileNotes(translate, field),
    boundsOf(translate, field),
    field.multipleOf !== undefined && translate("cli.field.multiple", { of: field.multipleOf }),
    choices?.map(({ value }) => quote(String(value))).join(" | "),
    listing !== undefined && translate("cli.field.catalogue", { command: listing }),
    over !== undefined && translate("cli.field.mask", { flag: flagOf(over) }),
    when && translate("cli.field.when", { flag: `${flagOf(when.field)} ${when.is}` }),
    unless !== undefined && translate("cli.field.unless", { flag: flagOf(unless) }),
    field.required && translate("cli.field.required"),
    control === "switch" ? field.default === true && translate("cli.field.on") : defaultOf(translate, field),
  ].filter(Boolean);
  const what = hint ? `${translate(label)}. ${translate(hint)}` : translate(label);
  return notes.length > 0 ? `${what} (${notes.join("; ")})` : what;
}

/** The command that lists what a field can be, where a catalogue knows that. */
export function listingOf(command: string, { name, control }: FieldSpec): string | undefined {
  return control === "catalogue" ? `reelay choices ${command} ${dashed(name)}` : undefined;
}

/** How many files, of which kinds, how large and how long. */
function fileNotes(
  translate: Translate,
  { control, minItems = 1, maxItems, sounds }: FieldSpec,
): readonly string[] {
  const isPicture = control === "image" || control === "images" || control === "mask";
  return [
    ...(maxItems === undefined ? [] : [translate("cli.field.files", { min: minItems, max: maxItems })]),
    ...(isPicture ? [PICTURE_KINDS.join(", ")] : []),
    ...(sounds ? soundNotes(translate, sounds) : []),
  ];
}

function defaultOf(translate: Translate, { default: standard }: FieldSpec): string | undefined {
  return standard === undefined
    ? undefined
    : translate("cli.field.default", { value: quote(String(standard)) });
}

function soundNotes(
  translate: Translate,
  { types, maxBytes, maxSeconds, maxSecondsTogether }: SoundBounds,
): readonly string[] {
  return [
    kindsOfSounds(types).join(", "),
    translate("cli.field.sounds", { bytes: maxBytes, seconds: maxSeconds, together: maxSecondsTogether }),
  ];
}

function boundsOf(translate: Translate, { min, max }: FieldSpec): string | undefined {
  if (min !== undefined && max !== undefined) return translate("cli.field.between", { min, max });
  if (min !== undefined) return translate("cli.field.from", { min });
  return max === undefined ? undefined : translate("cli.field.to", { max });
}
