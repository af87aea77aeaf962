import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import { telegramName } from "./command-names.ts";
import { takeQuestion } from "./question.ts";
import { takeNoKey } from "./connect.ts";
import type { Clerk } from "../context/context.ts";
import { post } from "../messages/post.ts";
import { openTemplates } from "./templates.ts";

/** Answers to what was asked. Whatever else a person does takes the question back. */
export const answerClerk: Clerk = async (visit) => {
  const { origin, update, username } = visit;
  const message = messageOf(visit);
  if (!message && !("callback_query" in update)) return false;
  const question = await takeQuestion(visit);
  if (!message || !("text" in message)) return false;
  const command = commandIn(visit);
  if (command && !(question && telegramName(command.name) === "cancel")) return false;
  if (command)
    await post(visit, addressOf(origin.address), { kind: "notice", text: { key: "telegram.cancel.done" } });
  else if (question === "key") await takeNoKey(visit);
  else if (question) await openTemplates(visit, question, withoutMention(message.text, username));
  else return false;
  return true;
};
