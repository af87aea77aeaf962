import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData as Modal,
  type APISelectMenuOption,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import { titleOf } from "../../../src/seam/browse/catalogues.ts";
import type { FieldSpec, Suggestion } from "../../../src/seam/fields.ts";
import { effective, missingFields, roomOf, takesFiles } from "../../../src/seam/forms/filling.ts";
import { fewNumbers } from "../../../src/seam/forms/numbers.ts";
import { say as sayMessage } from "../../../src/seam/text/say.ts";
import type { Values } from "../../../src/seam/values.ts";
import type { Message } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { shortOf } from "./choices.ts";
import { fit } from "../messages/components.ts";
import { DISCORD } from "../api/limits.ts";

/** Entries of catalogues by field, where these are known. */
export type Entries = Readonly<Record<string, readonly Suggestion[] | undefined>>;

/** What a modal asks. */
export interface ModalRequest {
  readonly id: string;
  readonly title: Message;
  /** All fields of the sheet. */
  readonly fields: readonly FieldSpec[];
  /** Those that this modal asks for: at most five. */
  readonly page: readonly FieldSpec[];
  readonly values: Values;
  readonly entries: Entries;
}

/** Stands for a switch that is on, and for one that is off. */
export const SWITCH = { on: "on", off: "off" } as const;

const MODAL = DISCORD.modal;

/** A form as a modal, filled in with what is known. */
export function modalOf(say: Translate, asking: ModalRequest): Modal {
  return {
    custom_id: asking.id,
    title: fit(sayMessage(say, asking.title), MODAL.title),
    components: asking.page.map((field) => labelled(say, asking, field)),
  };
}

function labelled(say: Translate, asking: ModalRequest, field: FieldSpec): APILabelComponent {
  const description = descriptionOf(say, asking, field);
  return {
    type: ComponentType.Label,
    label: fit(say(field.label), MODAL.label),
    ...(description !== undefined && { description: fit(description, MODAL.description) }),
    component: inputOf(say, asking, field),
  };
}

function descriptionOf(say: Translate, { values }: ModalRequest, field: FieldSpec): string | undefined {
  const { name, control, hint } = field;
  if (values[name] !== undefined && (takesFiles(field) || isTooLong(field, values)))
    return say("discord.form.keep");
  if (control === "mask") return say("discord.form.mask");
  return hint && say(hint);
}

/** Words that a modal cannot show stay as they are, unless others are put in their place. */
export const isTooLong = ({ name }: FieldSpec, values: Values) =>
  typeof values[name] === "string" && values[name].length > MODAL.textInput;

function inputOf(say: Translate, asking: ModalRequest, field: FieldSpec): APIComponentInLabel {
  const required = isRequired(asking, field);
  const given = { custom_id: field.name, required };
  const least = required ? (field.minItems ?? 1) : 0;
  if (takesFiles(field))
    return { type: ComponentType.FileUpload, ...given, min_values: least, max_values: roomOf(field) };
  const options = optionsOf(say, asking, field);
  if (options) return { type: ComponentType.StringSelect, ...given, options, min_values: least };
  const style = field.control === "text" ? TextInputStyle.Paragraph : TextInputStyle.Short;
  return { type: ComponentType.TextInput, ...given, style, ...textIn(asking, field), ...boundsOf(field) };
}

/** What may be left out beside another field is asked for together with that one, or has to be given. */
function isRequired({ fields, page, values }: ModalRequest, field: FieldSpec): boolean {
  const { required, unless, name } = field;
  if (takesFiles(field)) return missingFields(fields, values).includes(field);
  if (unless === undefined) return required;
  return (
    values[unless] === undefined && values[name] === undefined && !page.some((one) => one.name === unless)
  );
}

/** What can be picked; undefined where somebody has to write. */
function optionsOf(
  say: Translate,
  asking: ModalRequest,
  field: FieldSpec,
): APISelectMenuOption[] | undefined {
  const options = allOptions(say, asking, field);
  if (!options || options.length === 0 || options.length > DISCORD.selectOptions) return undefined;
  const chosen = writtenIn(asking, field);
  return options.map(({ label, value }) => ({
    label: fit(label, DISCORD.selectText),
    value,
    default: value === chosen,
  }));
}

/** What is written in a field already; never a secret. */
function textIn(asking: ModalRequest, field: FieldSpec): { value?: string } {
  const { name, control } = field;
  const written = writtenIn(asking, field);
  if (written === undefined || control === "secret" || isTooLong(field, asking.values)) return {};
  const entry = asking.entries[name]?.find((one) => shortOf(one) === written);
  return { value: entry?.title ?? written };
}

/** Numbers show between which they may be. */
function boundsOf({ control, min, max, maxLength = Infinity }: FieldSpec) {
  const bounds = control === "number" ? [min, max].filter((bound) => bound !== undefined).join(" – ") : "";
  return { max_length: Math.min(maxLength, MODAL.textInput), ...(bounds && { placeholder: bounds }) };
}

/** What a field comes to, as it is written or picked. */
function writtenIn({ values }: ModalRequest, field: FieldSpec): string | undefined {
  const value = effective(field, values);
  if (value === undefined || typeof value === "object") return undefined;
  if (field.control === "switch") return value ? SWITCH.on : SWITCH.off;
  return field.control === "catalogue" ? shortOf({ value: String(value) }) : String(value);
}

function allOptions(
  say: Translate,
  { entries }: ModalRequest,
  field: FieldSpec,
): readonly Pick<APISelectMenuOption, "label" | "value">[] | undefined {
  switch (field.control) {
    case "choice":
      return field.choices?.map(({ value, label }) => ({
        label: label ? say(label) : String(value),
        value: String(value),
      }));
    case "switch":
      return [
        { label: say("value.on"), value: SWITCH.on },
        { label: say("value.off"), value: SWITCH.off },
      ];
    case "number":
      return fewNumbers(field, DISCORD.selectOptions)?.map((number) => ({
        label: String(number),
        value: String(number),
      }));
    case "catalogue":
      return entries[field.name]?.map((entry) => ({ label: titleOf(entry), value: shortOf(entry) }));
    default:
      return undefined;
  }
}
