import { ownAction, ownPart } from "../../../src/seam/text/actions.ts";
import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Values } from "../../../src/seam/values.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";

/** The mark of the buttons here. */
const CHOICE = "c";

/** Runs a command of the core that was typed; where one choice is all that it needs, that is offered as buttons. */
export async function runOrOffer<Context extends ChatContext>(
  { post }: Pick<ChatPlatform<Context>, "post">,
  context: Context,
  spec: CommandSpec,
  words: string,
): Promise<void> {
  const [field, ...others] = spec.fields;
  const choice = others.length === 0 && field?.choices ? field : undefined;
  if (choice?.choices?.some(({ value }) => value === words))
    await runCommand(context, spec.name, { [choice.name]: words });
  else if (choice?.required) await post(context, choiceView(spec, choice));
  else await context.intake.command(context.origin, spec.name, {});
}

/** Deals with a choice that {@link runOrOffer} offered. @throws ReelayError `stale_button` for one that it never did */
export function choiceHandler<Context extends ChatContext>({
  tokenOf,
  acknowledge,
}: ChatPlatform<Context>): HandlerFor<Context> {
  return async (context) => {
    const [name, value] = ownPart(tokenOf(context), CHOICE)?.split(":") ?? [];
    const spec = context.intake.commands.find((candidate) => candidate.name === name);
    if (!spec || value === undefined) return false;
    await acknowledge(context);
    const [field] = spec.fields;
    if (!field?.choices?.some((choice) => choice.value === value)) throw new ReelayError("stale_button");
    await runCommand(context, spec.name, { [field.name]: value });
    return true;
  };
}

/** Runs a command of the core. A language that is chosen with it is answered in that language. */
export async function runCommand(
  { intake, origin }: ChatContext,
  name: string,
  values: Values,
): Promise<void> {
  const { locale } = values;
  const address = { ...origin.address, ...(typeof locale === "string" && { locale }) };
  await intake.command({ ...origin, address }, name, values);
}

function choiceView({ name, description }: CommandSpec, { choices = [] }: FieldSpec): NoticeView {
  const actions = choices.map(({ value, label = "fact.text" as const }) =>
    ownAction(CHOICE, `${name}:${value}`, { key: label, params: { text: value } }),
  );
  return { kind: "notice", text: { key: description }, actions };
}
