import { parseToken } from "../../../src/chat/actions.ts";
import { isAskedTwice, SURE, sureButtons } from "../../../src/chat/sure.ts";
import type { Action } from "../../../src/chat/views.ts";
import { answeredMessage, answerPress, pressedMessage } from "./press.ts";
import { connect } from "./connect.ts";
import { type Clerk, pressedOf, type Visit } from "../context/context.ts";
import { keyboardOf } from "../messages/keyboard.ts";

/** Presses the core's buttons. */
export const actClerk: Clerk = async (visit) => {
  const { update, intake, origin } = visit;
  const data =
    "callback_query" in update && "data" in update.callback_query ? update.callback_query.data : "~";
  if (data.startsWith("~")) return false;
  const isTwice = isAskedTwice(data);
  if (!isTwice && isAside(visit, data)) {
    await actAside(visit, data);
    return true;
  }
  await answerPress(visit);
  if (isTwice) await showButtons(visit, sureButtons(data));
  // A key's message is deleted, so it is asked for here.
  else if (parseToken(data).command === "reconnect") await connect(visit, "");
  else await intake.act(origin, data);
  return true;
};

/** What is said about these is for whoever presses alone, wherever the button stands. */
const ASIDE: ReadonlySet<string> = new Set(["report"]);

/** Whether a group is not to hear what is said about a press: what is pressed is not certainly the presser's own. */
function isAside(visit: Visit, data: string): boolean {
  if (visit.origin.audience === "private" || !("callback_query" in visit.update)) return false;
  const asker = answeredMessage(visit)?.from;
  return asker?.id !== visit.update.callback_query.from.id || ASIDE.has(parseToken(data).command);
}

/** Presses a button whose answer is said over the chat (`sayAside`), or only ends the waiting. */
async function actAside(visit: Visit, data: string): Promise<void> {
  const { update, intake, origin, presses } = visit;
  if (!("callback_query" in update)) return;
  const { id: press } = update.callback_query;
  presses.add(press);
  try {
    await intake.act({ ...origin, address: { ...origin.address, press } }, data);
  } finally {
    if (presses.delete(press)) await answerPress(visit);
  }
}

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
