import { parseToken } from "../../src/chat/actions.ts";
import type { Action } from "../../src/chat/views.ts";
import { answerPress, pressedMessage } from "./command-press.ts";
import { type Clerk, ownButton, pressedOf, type Visit } from "./desk.ts";
import { keyboardOf } from "./keyboard.ts";

/** The mark of the buttons here. */
const SURE = "y";

/** What takes everything away is confirmed twice. */
const TWICE: ReadonlySet<string> = new Set(["delete-all-now", "forget-now"]);

/** Presses the core's buttons. */
export const actClerk: Clerk = async (visit) => {
  const { update, intake, origin } = visit;
  const data =
    "callback_query" in update && "data" in update.callback_query ? update.callback_query.data : "~";
  if (data.startsWith("~")) return false;
  await answerPress(visit);
  if (TWICE.has(parseToken(data).command)) await showButtons(visit, sureButtons(data));
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

function sureButtons(token: string): readonly Action[] {
  return [
    { token: ownButton(SURE, ""), label: { key: "telegram.sure.no" }, style: "secondary" },
    { token: ownButton(SURE, token), label: { key: "telegram.sure.yes" }, style: "danger" },
  ];
}

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
