import type { CommandSpec, FieldSpec } from "../../../../src/chat/fields.ts";
import type { Message as Sentence } from "../../../../src/chat/views.ts";
import type { Params } from "../../../../src/errors.ts";
import { hasMessage, type Translate } from "../../../../src/i18n.ts";
import type { ProblemBody } from "../../wire.ts";

/** A failure as a sentence; a field's name in it becomes the label that the person sees. */
export function problemText(say: Translate, problem: ProblemBody, commands: readonly CommandSpec[]): string {
  const params = withLabel(say, problem.params, commands);
  for (const key of [`error.${problem.code}`, `page.refused.${problem.code}`]) {
    if (hasMessage(key)) return say(key, params);
  }
  return say("error.internal");
}

function withLabel(say: Translate, params: Params, commands: readonly CommandSpec[]): Params {
  const field = commands.flatMap(({ fields }) => fields).find(({ name }) => name === params["field"]);
  return field ? { ...params, field: say(field.label) } : params;
}

/** A sentence of the core. */
export function sentence(say: Translate, { key, params }: Sentence): string {
  return say(key, params);
}

/** A choice as people read it. */
export function choiceText(say: Translate, field: FieldSpec, value: string | number): string {
  const label = field.choices?.find((choice) => choice.value === value)?.label;
  return label ? say(label) : String(value);
}
