import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import { telegramName } from "./command-names.ts";
import { takeQuestion } from "./question.ts";
import { takeNoKey } from "./connect.ts";
import type { Handler } from "../context/context.ts";
import { post } from "../messages/post.ts";
import { openTemplates } from "./templates.ts";

/** Answers to what was asked. Whatever else a person does takes the question back. */
export const answerHandler: Handler = async (context) => {
  const { origin, update, username } = context;
  const message = messageOf(context);
  if (!message && !("callback_query" in update)) return false;
  const question = await takeQuestion(context);
  if (!message || !("text" in message)) return false;
  const command = commandIn(context);
  if (command && !(question && telegramName(command.name) === "cancel")) return false;
  if (command)
    await post(context, addressOf(origin.address), { kind: "notice", text: { key: "telegram.cancel.done" } });
  else if (question === "key") await takeNoKey(context);
  else if (question) await openTemplates(context, question, withoutMention(message.text, username));
  else return false;
  return true;
};
