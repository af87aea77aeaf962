import { type APIModalSubmission, ComponentType } from "discord.js";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { takesFiles, withFile, withValue } from "../../../src/seam/forms/filling.ts";
import { readNumber } from "../../../src/seam/forms/numbers.ts";
import type { Value, Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { attached } from "../media/media.ts";
import { isTooLong, SWITCH } from "./modal.ts";
import { type Attachments, choiceOf } from "../commands/values.ts";

/** What somebody filled in. */
export interface ModalAnswer {
  /** What is filled in now, in catalogues by name; as it was where it was wrong. */
  readonly values: Values;
  /** What was wrong with the first wrong one. */
  readonly problem: ReelayError | undefined;
}

/** What one input was given: words, or what was picked. */
interface Given {
  readonly name: string;
  readonly picked: readonly string[];
}

/** What a modal's answer makes of what was filled in before. */
export function answered(
  data: APIModalSubmission,
  fields: readonly FieldSpec[],
  before: Values,
  say: Translate,
): ModalAnswer {
  const attachments = data.resolved?.attachments ?? {};
  let values = before;
  let problem: ReelayError | undefined;
  for (const { name, picked } of givenIn(data)) {
    const field = fields.find((one) => one.name === name);
    if (!field) continue;
    try {
      values = withAnswer(field, values, picked, attachments, say);
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      problem ??= error;
    }
  }
  return { values, problem };
}

function givenIn({ components }: APIModalSubmission): Given[] {
  return components.flatMap((part) => {
    if (part.type !== ComponentType.Label) return [];
    const { component } = part;
    const name = component.custom_id;
    if (component.type === ComponentType.TextInput) return [{ name, picked: [component.value] }];
    return "values" in component ? [{ name, picked: component.values }] : [];
  });
}

/** @throws ReelayError as `readNumber` */
function withAnswer(
  field: FieldSpec,
  values: Values,
  picked: readonly string[],
  attachments: Attachments,
  say: Translate,
): Values {
  const { name } = field;
  if (takesFiles(field)) {
    const files = picked.flatMap((id) => attachments[id] ?? []);
    const others = files.length > 0 ? withValue(values, name, undefined) : values;
    return files.reduce((filled, file) => withFile(field, filled, attached(file)), others);
  }
  const words = picked[0]?.trim() ?? "";
  if (words === "" && isTooLong(field, values)) return values;
  return withValue(values, name, words === "" ? undefined : valueOf(field, words, say));
}

function valueOf(field: FieldSpec, words: string, say: Translate): Value {
  switch (field.control) {
    case "number":
      return readNumber(field, words);
    case "switch":
      return words === SWITCH.on;
    default:
      return choiceOf(field, words, say);
  }
}
