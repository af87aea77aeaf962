import { message } from "telegraf/filters";
import { withScreen } from "../../kit/drafts/change.ts";
import { catalogueView } from "../../kit/handlers/browse.ts";
import { typedName } from "../../kit/handlers/command-names.ts";
import { draftAskingKey } from "../../kit/handlers/drafts.ts";
import { withoutMention } from "../context/addressed.ts";
import { commandIn } from "../context/command-line.ts";
import type { Handler } from "../context/context.ts";
import { drafts } from "../drafts/messages.ts";
import { takeNoKey } from "./connect.ts";
import { platform, questions } from "./platform.ts";

const isText = message("text");

/** Answers to what was asked. Whatever else a person does takes the question back. */
export const answerHandler: Handler = async (context) => {
  const { update, username } = context;
  if (!("message" in update) && !("callback_query" in update)) return false;
  const asked = await questions.take(context);
  if (!isText(update) || !asked) return false;
  const { question } = asked;
  const command = commandIn(context);
  if (command && typedName(command.name) !== "cancel") return false;
  const asking = question === "key" && (await draftAskingKey(context));
  if (command && asking) await drafts.show(context, withScreen(asking, { show: "main" }));
  else if (command) await platform.post(context, { kind: "notice", text: { key: "chat.cancel.done" } });
  else if (question === "key" || question === "group_key") await takeNoKey(context, question, asked.of);
  else {
    const words = withoutMention(update.message.text, username);
    await platform.post(context, await catalogueView(context, question, words));
  }
  return true;
};
