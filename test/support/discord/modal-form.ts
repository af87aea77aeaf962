import {
  type APIModalInteractionResponseCallbackData,
  type APISelectMenuOption,
  ComponentType,
} from "discord.js";
import type { Resolved } from "./resolved.ts";
import { type Pick, picked } from "./select-menu.ts";

/** What a person puts into a field: words, or what they pick by its label. */
export type FieldValue = string | readonly Pick[];

/** A field as the modal shows it. */
interface ModalField {
  readonly id: number;
  readonly type: ComponentType;
  readonly label: string;
  readonly description: string | undefined;
  readonly customId: string;
  readonly placeholder: string | undefined;
  /** What is filled in already. */
  readonly value: string;
  readonly required: boolean;
  readonly least: number;
  readonly most: number;
  readonly options: readonly APISelectMenuOption[];
  /** What it sits in. */
  readonly frame: ComponentType.Label | ComponentType.ActionRow;
}

/** An open modal. */
export interface SeenModal {
  readonly customId: string;
  readonly title: string;
  /** What it says between the fields. */
  readonly texts: readonly string[];
  readonly fields: readonly ModalField[];
}

/** What every kind of field may have, as it came. */
interface Input {
  readonly type: ComponentType;
  readonly custom_id: string;
  readonly label?: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly min_values?: number;
  readonly max_values?: number;
  readonly options?: readonly APISelectMenuOption[];
}

/** How a person sees a modal. */
export function seenModal(modal: APIModalInteractionResponseCallbackData): SeenModal {
  const fields: ModalField[] = [];
  const texts: string[] = [];
  for (const [index, part] of modal.components.entries()) {
    if (part.type === ComponentType.TextDisplay) texts.push(part.content);
    else if (part.type === ComponentType.Label) {
      fields.push(field(index + 1, part.type, part.component, part.label, part.description));
    } else {
      for (const input of part.components) {
        fields.push(field(index + 1, part.type, input, input.label ?? ""));
      }
    }
  }
  return { customId: modal.custom_id, title: modal.title, texts, fields };
}

function field(
  id: number,
  frame: ModalField["frame"],
  input: Input,
  label: string,
  description?: string,
): ModalField {
  const isText = input.type === ComponentType.TextInput;
  const required = input.required ?? true;
  return {
    id,
    type: input.type,
    label,
    description,
    customId: input.custom_id,
    placeholder: input.placeholder,
    value:
      input.value ??
      (input.options ?? [])
        .filter((one) => one.default)
        .map((one) => one.label)
        .join(", "),
    required,
    least: isText ? (input.min_length ?? 0) : required ? (input.min_values ?? 1) : 0,
    most: isText ? (input.max_length ?? 4000) : (input.max_values ?? 1),
    options: input.options ?? [],
    frame,
  };
}

/**
 * Fills in a modal's fields, by label or custom id; what is left out stays as it was.
 * @returns the components of the submission
 * @throws Error for what a client would not send
 */
export async function filledIn(
  { fields, title }: SeenModal,
  values: Readonly<Record<string, FieldValue>>,
  resolved: Resolved,
): Promise<object[]> {
  for (const name of Object.keys(values)) {
    if (!fields.some(({ label, customId }) => name === label || name === customId)) {
      const labels = fields.map(({ label }) => label).join(", ");
      throw new Error(`The modal "${title}" has no field ${name}, but: ${labels}`);
    }
  }
  return Promise.all(
    fields.map(async (one) => {
      const value = values[one.label] ?? values[one.customId];
      const component = {
        type: one.type,
        id: one.id,
        custom_id: one.customId,
        ...(await submitted(one, value, resolved)),
      };
      const isLabelled = one.frame === ComponentType.Label;
      return { type: one.frame, id: one.id, ...(isLabelled ? { component } : { components: [component] }) };
    }),
  );
}

async function submitted(
  one: ModalField,
  given: FieldValue | undefined,
  resolved: Resolved,
): Promise<object> {
  if (one.type !== ComponentType.TextInput) {
    const chosen = given ?? one.options.filter((option) => option.default).map(({ label }) => label);
    return { values: await picked(one, typeof chosen === "string" ? [chosen] : chosen, resolved) };
  }
  const value = given ?? one.value;
  if (typeof value !== "string") throw new Error(`The field ${one.label} takes words.`);
  if (one.required && value === "") throw new Error(`The field ${one.label} is required.`);
  const isTooShort = value.length < one.least && (one.required || value !== "");
  if (isTooShort || value.length > one.most) {
    throw new Error(`The field ${one.label} takes ${one.least} to ${one.most} characters.`);
  }
  return { value };
}
