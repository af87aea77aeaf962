import { z } from "zod";
import { action } from "../../seam/text/actions.ts";
import type { MessageKey } from "../../common/i18n.ts";
import type { Action } from "../../seam/views.ts";
import { ReelayError } from "../../common/errors.ts";
import { STATEMENTS, versionOf } from "../policy/statements.ts";
import { button, command, type Context } from "./command.ts";
import { textFact } from "./facts.ts";
import { orPressAgain } from "./presses.ts";
import type { Origin } from "../../seam/origin.ts";
import type { StatementName, UserId, Values } from "../../seam/values.ts";

/** How long a question stands, in milliseconds. */
const QUESTION_MS = 60 * 60_000;

/** What waits for a statement; null where nothing is to be done afterwards. */
interface Question {
  readonly user: string;
  readonly statement: StatementName;
  /** Of the wording that is read beside its button. */
  readonly version: string;
  readonly next: { readonly command: string; readonly values: Values } | null;
  /** The button that asked for it, and what that said it costs; see `Origin`. */
  readonly pressed: Pick<Origin, "press" | "price">;
  /** The request that gave it (`Origin.request`), once what waited has gone on. */
  readonly givenBy?: string;
}

/** Asks for a statement; what it was asked for goes on once it is given. */
export async function askStatement(
  { questions, policy, origin, reply }: Pick<Context, "questions" | "policy" | "origin" | "reply">,
  statement: StatementName,
  next: Question["next"],
): Promise<void> {
  const id = crypto.randomUUID().slice(0, 18);
  const version = versionOf(statement, policy.termsUrl);
  const { user, press, price } = origin;
  const pressed = { ...(press !== undefined && { press }), ...(price !== undefined && { price }) };
  const question: Question = { user, statement, version, next, pressed };
  await questions.set(id, question, QUESTION_MS);
  await reply({
    kind: "notice",
    text: { key: STATEMENTS[statement].text },
    asks: statement,
    ...(statement === "terms" &&
      policy.termsUrl !== undefined && { facts: [textFact("fact.own_terms", policy.termsUrl)] }),
    actions: [agreeAction(id, statement)],
  });
}

function agreeAction(id: string, statement: StatementName): Action {
  const label: MessageKey = `action.agree.${statement}`;
  return action("agree", id, label, "primary");
}

/** What waits, or has waited, for somebody's statements. */
async function questionsOf(
  { questions }: Pick<Context, "questions">,
  user: UserId,
): Promise<readonly (readonly [id: string, Question])[]> {
  return (await questions.entries<Question>()).filter(([, question]) => question.user === user);
}

/** How much of what somebody asked for waits for their statements. */
export async function countWaiting(store: Pick<Context, "questions">, user: UserId): Promise<number> {
  return (await questionsOf(store, user)).filter(([, { givenBy }]) => givenBy === undefined).length;
}

/** Erases all of it: the words of their requests are in it. */
export async function forgetQuestions(store: Pick<Context, "questions">, user: UserId): Promise<void> {
  for (const [id] of await questionsOf(store, user)) await store.questions.delete(id);
}

/** Records a statement, with its wording's version, the time and the platform, and goes on with what waited for it. */
export const agree = button("agree", "action.agree", async (context, id) => {
  const { questions, gate, policy, origin, reply } = context;
  const question = await questions.get<Question>(id);
  if (!question) throw new ReelayError("stale_button");
  if (question.user !== origin.user) throw new ReelayError("not_yours");
  const { statement, version, next, pressed, givenBy } = question;
  // After a crash the same press is handed on again: it makes one job, and is not too late.
  if (givenBy !== undefined && givenBy !== origin.request)
    throw new ReelayError(next ? "already_begun" : "stale_button");
  if (version !== versionOf(statement, policy.termsUrl)) {
    await questions.delete(id);
    return askStatement(context, statement, next);
  }
  // What waited is one request, however often and fast its button is pressed.
  if (next) {
    const said = { ...pressed, agreed: [statement], request: `agree:${id}` };
    const going = () => context.again(next.command, next.values, said);
    const atPrice = async (price: number | null) => {
      const { press } = pressed;
      const at = { ...(press !== undefined && { press }), ...(price !== null && { price }) };
      await questions.set(id, { ...question, pressed: at } satisfies Question, QUESTION_MS);
      return agreeAction(id, statement);
    };
    // Where it came to nothing, the question still stands.
    if (!(await orPressAgain(context, pressed.price ?? null, atPrice, going))) return;
  } else {
    await gate.agree(origin, [statement]);
    await reply({ kind: "notice", text: { key: "statement.recorded" } });
  }
  await questions.set(id, { ...question, givenBy: origin.request ?? "" } satisfies Question, QUESTION_MS);
});

/** Opens what only adults may see, where the operator allows it. */
export const adult = command({
  name: "adult",
  label: "command.adult",
  description: "command.adult.description",
  kind: "command",
  traits: { topic: "account" },
  schema: z.strictObject({}),
  run: (context) => askStatement(context, "adult", null),
});
