import { catalogueView } from "../../kit/handlers/browse.ts";
import { typedName } from "../../kit/handlers/command-names.ts";
import { withoutMention } from "../context/addressed.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import type { Handler } from "../context/context.ts";
import { takeNoKey } from "./connect.ts";
import { platform, questions } from "./platform.ts";

/** Answers to what was asked. Whatever else a person does takes the question back. */
export const answerHandler: Handler = async (context) => {
  const message = messageOf(context);
  if (!message && !("callback_query" in context.update)) return false;
  const question = await questions.take(context);
  if (!message || !("text" in message) || !question) return false;
  const command = commandIn(context);
  if (command && typedName(command.name) !== "cancel") return false;
  if (command) await platform.post(context, { kind: "notice", text: { key: "chat.cancel.done" } });
  else if (question === "key") await takeNoKey(context);
  else {
    const words = withoutMention(message.text, context.username);
    await platform.post(context, await catalogueView(context, question, words));
  }
  return true;
};
