import type { MessageKey } from "../../../src/i18n.ts";
import { addressOf } from "../context/address.ts";
import { tell } from "./tell.ts";
import type { UpdateContext } from "../context/context.ts";

/** What may be asked for in a message of its own. */
export type Question = "key" | "templates" | "models";

/** How long a question stands, in milliseconds: later words mean something else. */
const QUESTION_MS = 10 * 60_000;

/** Asks, and takes the person's next message in this chat for the answer. */
export async function ask(context: UpdateContext, question: Question): Promise<void> {
  const key: MessageKey = `telegram.ask.${question}`;
  const placeholder: MessageKey = `telegram.ask.${question}.placeholder`;
  await context.memory.set(place(context), question, QUESTION_MS);
  await tell(context, context.say(key), {
    force_reply: true,
    selective: true,
    input_field_placeholder: context.say(placeholder),
  });
}

/** The question that stands, if there is one. */
export function standingQuestion(context: UpdateContext): Promise<Question | undefined> {
  return context.memory.get<Question>(place(context));
}

/** The question that stands, if there is one; from now on it stands no more. */
export async function takeQuestion(context: UpdateContext): Promise<Question | undefined> {
  const question = await standingQuestion(context);
  if (question !== undefined) await context.memory.delete(place(context));
  return question;
}

function place({ origin }: UpdateContext): string {
  return `asked:${origin.user}:${addressOf(origin.address).chat}`;
}
