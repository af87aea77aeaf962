import type { ChatContext } from "../pipeline/context.ts";

/** What may be asked for in a message of its own. */
export type Question = "key" | "templates" | "models";

/** How long a question stands, in milliseconds: later words mean something else. */
const QUESTION_MS = 10 * 60_000;

/** Takes somebody's next message in this chat for the answer to what they were asked where it stands. */
export async function expectAnswer(context: ChatContext, question: Question): Promise<void> {
  await context.memory.set(place(context), question, QUESTION_MS);
}

/** The questions that stand: the next message of whoever was asked, in the same chat, is the answer. */
export class Questions<Context extends ChatContext> {
  readonly #ask: (context: Context, text: string, placeholder: string) => Promise<unknown>;

  /** @param ask says something that is to be answered with a message */
  constructor(ask: (context: Context, text: string, placeholder: string) => Promise<unknown>) {
    this.#ask = ask;
  }

  /** Asks, and takes the person's next message in this chat for the answer. */
  async ask(context: Context, question: Question): Promise<void> {
    const { say } = context;
    await expectAnswer(context, question);
    await this.#ask(context, say(`chat.ask.${question}`), say(`chat.ask.${question}.placeholder`));
  }

  /** The question that stands, if there is one. */
  standing(context: Context): Promise<Question | undefined> {
    return context.memory.get<Question>(place(context));
  }

  /** The question that stands, if there is one; from now on it stands no more. */
  async take(context: Context): Promise<Question | undefined> {
    const question = await this.standing(context);
    if (question !== undefined) await context.memory.delete(place(context));
    return question;
  }
}

const place = ({ origin: { user, chat = user } }: ChatContext) => `asked:${user}:${chat}`;
