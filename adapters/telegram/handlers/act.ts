import { parseToken } from "../../../src/chat/actions.ts";
import { isAskedTwice, SURE, sureButtons } from "../../../src/chat/sure.ts";
import type { Action } from "../../../src/chat/views.ts";
import { answeredMessage, answerPress, pressedMessage } from "./press.ts";
import { connect } from "./connect.ts";
import { type Handler, pressedOf, type UpdateContext } from "../context/context.ts";
import { keyboardOf } from "../messages/keyboard.ts";

/** Presses the core's buttons. */
export const actHandler: Handler = async (context) => {
  const { update, intake, origin } = context;
  const data =
    "callback_query" in update && "data" in update.callback_query ? update.callback_query.data : "~";
  if (data.startsWith("~")) return false;
  const isTwice = isAskedTwice(data);
  if (!isTwice && isAside(context, data)) {
    await actAside(context, data);
    return true;
  }
  await answerPress(context);
  if (isTwice) await showButtons(context, sureButtons(data));
  // A key's message is deleted, so it is asked for here.
  else if (parseToken(data).command === "reconnect") await connect(context, "");
  else await intake.act(origin, data);
  return true;
};

/** What is said about these is for whoever presses alone, wherever the button stands. */
const ASIDE: ReadonlySet<string> = new Set(["report"]);

/** Whether a group is not to hear what is said about a press: what is pressed is not certainly the presser's own. */
function isAside(context: UpdateContext, data: string): boolean {
  if (context.origin.audience === "private" || !("callback_query" in context.update)) return false;
  const asker = answeredMessage(context)?.from;
  return asker?.id !== context.update.callback_query.from.id || ASIDE.has(parseToken(data).command);
}

/** Presses a button whose answer is said over the chat (`sayAside`), or only ends the waiting. */
async function actAside(context: UpdateContext, data: string): Promise<void> {
  const { update, intake, origin, presses } = context;
  if (!("callback_query" in update)) return;
  const { id: press } = update.callback_query;
  presses.add(press);
  try {
    await intake.act({ ...origin, address: { ...origin.address, press } }, data);
  } finally {
    if (presses.delete(press)) await answerPress(context);
  }
}

/** Does what was confirmed twice, or lets it be. */
export const sureHandler: Handler = async (context) => {
  const token = pressedOf(context, SURE);
  if (token === undefined) return false;
  await answerPress(context);
  await showButtons(context, []);
  if (token) await context.intake.act(context.origin, token);
  return true;
};

async function showButtons(context: UpdateContext, actions: readonly Action[]): Promise<void> {
  const pressed = pressedMessage(context);
  if (!pressed) return;
  const { chat, message } = pressed;
  await context.sender.call(
    "editMessageReplyMarkup",
    { chat_id: chat, message_id: message, reply_markup: keyboardOf(context.say, actions) },
    { chat },
  );
}
