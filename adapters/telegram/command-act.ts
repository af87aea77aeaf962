import { isAskedTwice, SURE, sureButtons } from "../../src/chat/sure.ts";
import type { Action } from "../../src/chat/views.ts";
import { answerPress, pressedMessage } from "./command-press.ts";
import { type Clerk, pressedOf, type Visit } from "./desk.ts";
import { keyboardOf } from "./keyboard.ts";

/** Presses the core's buttons. */
export const actClerk: Clerk = async (visit) => {
  const { update, intake, origin } = visit;
  const data =
    "callback_query" in update && "data" in update.callback_query ? update.callback_query.data : "~";
  if (data.startsWith("~")) return false;
  await answerPress(visit);
  if (isAskedTwice(data)) await showButtons(visit, sureButtons(data));
  else await intake.act(origin, data);
  return true;
};

/** Does what was confirmed twice, or lets it be. */
export const sureClerk: Clerk = async (visit) => {
  const token = pressedOf(visit, SURE);
  if (token === undefined) return false;
  await answerPress(visit);
  await showButtons(visit, []);
  if (token) await visit.intake.act(visit.origin, token);
  return true;
};

async function showButtons(visit: Visit, actions: readonly Action[]): Promise<void> {
  const pressed = pressedMessage(visit);
  if (!pressed) return;
  const { chat, message } = pressed;
  await visit.sender.call(
    "editMessageReplyMarkup",
    { chat_id: chat, message_id: message, reply_markup: keyboardOf(visit.say, actions) },
    { chat },
  );
}
