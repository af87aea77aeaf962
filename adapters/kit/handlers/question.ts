import type { Address } from "../../../src/seam/values.ts";
import type { ChatContext } from "../pipeline/context.ts";

/** What may be asked for in a message of its own. */
export type Question = "key" | "group_key" | "templates" | "models";

interface Asked {
  readonly question: Question;
  /** What it is about, such as the group that the key is for. */
  readonly of: string;
  /** The message that asks, as the platform finds it; left out where something else than a message of its own asks. */
  readonly shown?: Address;
}

/** How long a question stands, in milliseconds: later words mean something else. */
const QUESTION_MS = 10 * 60_000;

/** Takes somebody's next message in this chat for the answer to what they were asked where it stands. */
export async function expectAnswer(
  context: ChatContext,
  question: Question,
  of = "",
  shown?: Address,
): Promise<void> {
  const asked: Asked = { question, of, ...(shown && { shown }) };
  await context.memory.set(place(context), asked, QUESTION_MS);
}

/** Whether what is asked for is a key. */
export const isForKey = (asked: Asked | undefined) =>
  asked?.question === "key" || asked?.question === "group_key";

interface QuestionRules<Context> {
  /** Says something that is to be answered with a message. @returns how that is found again */
  readonly ask: (
    context: Context,
    words: { readonly text: string; readonly placeholder: string },
  ) => Promise<Address>;
  /** Takes away what asked. Never fails. */
  readonly remove: (context: Context, shown: Address) => Promise<unknown>;
}

/** The questions that stand: the next message of whoever was asked, in the same chat, is the answer. */
export class Questions<Context extends ChatContext> {
  readonly #rules: QuestionRules<Context>;

  constructor(rules: QuestionRules<Context>) {
    this.#rules = rules;
  }

  /** Asks, and takes the person's next message in this chat for the answer. */
  async ask(context: Context, question: Question, of?: string): Promise<void> {
    const { say } = context;
    // An answer may be there before the platform has said where its question is.
    await expectAnswer(context, question, of);
    const words = { text: say(`chat.ask.${question}`), placeholder: say(`chat.ask.${question}.placeholder`) };
    await expectAnswer(context, question, of, await this.#rules.ask(context, words));
  }

  /** The question that stands, if there is one. */
  standing(context: Context): Promise<Asked | undefined> {
    return context.memory.get<Asked>(place(context));
  }

  /** The question that stands, if there is one; from now on it stands no more. What asks for a key goes. */
  async take(context: Context): Promise<Asked | undefined> {
    const asked = await this.standing(context);
    if (asked !== undefined) await context.memory.delete(place(context));
    if (asked?.shown && isForKey(asked)) await this.#rules.remove(context, asked.shown);
    return asked;
  }
}

const place = ({ origin: { user, chat = user } }: ChatContext) => `asked:${user}:${chat}`;
