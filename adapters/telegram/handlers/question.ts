import type { MessageKey } from "../../../src/i18n.ts";
import { addressOf } from "../context/address.ts";
import { tell } from "./tell.ts";
import type { Visit } from "../context/context.ts";

/** What may be asked for in a message of its own. */
export type Question = "key" | "templates" | "models";

/** How long a question stands, in milliseconds: later words mean something else. */
const QUESTION_MS = 10 * 60_000;

/** Asks, and takes the person's next message in this chat for the answer. */
export async function ask(visit: Visit, question: Question): Promise<void> {
  const key: MessageKey = `telegram.ask.${question}`;
  const placeholder: MessageKey = `telegram.ask.${question}.placeholder`;
  await visit.memory.set(place(visit), question, QUESTION_MS);
  await tell(visit, visit.say(key), {
    force_reply: true,
    selective: true,
    input_field_placeholder: visit.say(placeholder),
  });
}

/** The question that stands, if there is one. */
export function standingQuestion(visit: Visit): Promise<Question | undefined> {
  return visit.memory.get<Question>(place(visit));
}

/** The question that stands, if there is one; from now on it stands no more. */
export async function takeQuestion(visit: Visit): Promise<Question | undefined> {
  const question = await standingQuestion(visit);
  if (question !== undefined) await visit.memory.delete(place(visit));
  return question;
}

function place({ origin }: Visit): string {
  return `asked:${origin.user}:${addressOf(origin.address).chat}`;
}
