import type { CommandSpec, FieldSpec } from "../../../src/chat/fields.ts";
import type { NoticeView } from "../../../src/chat/views.ts";
import { addressOf } from "../context/address.ts";
import { answerPress } from "./press.ts";
import { type Handler, ownButton, pressedOf, type UpdateContext } from "../context/context.ts";
import { post } from "../messages/post.ts";

/** The mark of the buttons here. */
const CHOICE = "c";

/** Runs a command of the core; where one choice is all that it needs, that is offered as buttons. */
export async function runCore(context: UpdateContext, spec: CommandSpec, words: string): Promise<void> {
  const [field, ...others] = spec.fields;
  const isChoice = field?.choices && others.length === 0;
  if (isChoice && field.choices.some(({ value }) => value === words)) await choose(context, spec, words);
  else if (isChoice && field.required)
    await post(context, addressOf(context.origin.address), choiceView(spec, field));
  else await context.intake.command(context.origin, spec.name, {});
}

/** Deals with a choice that {@link runCore} offered. */
export const choiceHandler: Handler = async (context) => {
  const [name, value] = pressedOf(context, CHOICE)?.split(":") ?? [];
  if (name === undefined || value === undefined) return false;
  await answerPress(context);
  const spec = context.intake.commands.find((candidate) => candidate.name === name);
  if (spec) await choose(context, spec, value);
  return spec !== undefined;
};

function choiceView({ name, description }: CommandSpec, { choices = [] }: FieldSpec): NoticeView {
  const actions = choices.map(({ value, label = "fact.text" as const }) => ({
    token: ownButton(CHOICE, `${name}:${value}`),
    label: { key: label, params: { text: value } },
    style: "secondary" as const,
  }));
  return { kind: "notice", text: { key: description }, actions };
}

/** A language that was just chosen is answered in that language. */
async function choose(
  { intake, origin }: UpdateContext,
  { name, fields }: CommandSpec,
  value: string,
): Promise<void> {
  const field = fields[0]?.name ?? "";
  const address = { ...origin.address, ...(field === "locale" && { locale: value }) };
  await intake.command({ ...origin, address }, name, { [field]: value });
}
