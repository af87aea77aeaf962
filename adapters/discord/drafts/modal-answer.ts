import { type APIModalSubmission, ComponentType } from "discord.js";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { takesFiles, withFile, withValue } from "../../../src/seam/forms/filling.ts";
import { readNumber } from "../../../src/seam/forms/numbers.ts";
import type { Value, Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { seenWords } from "../../../src/seam/text/cut.ts";
import { attached, type Looked } from "../media/media.ts";
import { isTooLong, SWITCH } from "./modal.ts";
import type { CommandCall } from "../commands/command-call.ts";
import { choiceOf } from "../commands/make-call.ts";

/** What one input was given: words, or what was picked. */
interface Given {
  readonly name: string;
  readonly picked: readonly string[];
}

/** What a modal's answer makes of what was filled in before, in catalogues by name; what was wrong stays as it was. */
export function answered(
  data: APIModalSubmission,
  fields: readonly FieldSpec[],
  before: Values,
  say: Translate,
): Looked {
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

/** What the inputs of a modal were given. */
export function givenIn({ components }: APIModalSubmission): Given[] {
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
  attachments: CommandCall["attachments"],
  say: Translate,
): Values {
  const { name } = field;
  if (takesFiles(field)) {
    const files = picked.flatMap((id) => attachments[id] ?? []);
    const others = files.length > 0 ? withValue(values, name, undefined) : values;
    return files.reduce((filled, file) => withFile(field, filled, attached(file)), others);
  }
  const words = seenWords(picked[0] ?? "");
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
