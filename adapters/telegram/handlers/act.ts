import type { CommandTraits } from "../../../src/seam/fields.ts";
import type { Action } from "../../../src/seam/views.ts";
import { pressHandlers } from "../../kit/handlers/press.ts";
import { buttonRows } from "../../kit/messages/buttons.ts";
import { isOwnToken, parseToken } from "../../../src/seam/text/actions.ts";
import { tokenOf, type UpdateContext } from "../context/context.ts";
import { keyboardOf, MESSAGE } from "../messages/render.ts";
import { connect } from "./connect.ts";
import { platform } from "./platform.ts";
import { answeredMessage, answerPress, pressedMessage } from "./press.ts";

/** Presses the core's buttons. */
export const actHandlers = pressHandlers(platform, {
  confirm: showButtons,
  settle: (context) => showButtons(context, []),
  async act(context, token, traits) {
    if (isAside(context, traits)) return actAside(context, token);
    await answerPress(context);
    // A key's message is deleted, so it is asked for here.
    return traits.asks === "key" ? connect(context, "") : context.intake.act(context.origin, token);
  },
});

/** Answers a press on a button of the core's before its turn, where its answer is nothing that is said over the chat. */
export async function answerCorePress(context: UpdateContext): Promise<void> {
  const token = tokenOf(context);
  if (token === undefined || isOwnToken(token)) return;
  const traits = context.intake.buttons.get(parseToken(token).command) ?? {};
  if (!isAside(context, traits)) await answerPress(context);
}

/** Whether a group is not to hear what is said about a press: what is pressed is not certainly the presser's own. */
function isAside(context: UpdateContext, { aside }: CommandTraits): boolean {
  if (context.origin.audience === "private" || !("callback_query" in context.update)) return false;
  return aside === true || answeredMessage(context)?.from?.id !== context.update.callback_query.from.id;
}

/** Presses a button whose answer is said over the chat (`sayAside`), or only ends the waiting. */
async function actAside(context: UpdateContext, token: string): Promise<void> {
  const { update, intake, origin, presses } = context;
  if (!("callback_query" in update)) return;
  const { id: press } = update.callback_query;
  presses.add(press);
  try {
    await intake.act({ ...origin, address: { ...origin.address, press } }, token);
  } finally {
    if (presses.delete(press)) await answerPress(context);
  }
}

async function showButtons(context: UpdateContext, actions: readonly Action[]): Promise<void> {
  const pressed = pressedMessage(context);
  if (!pressed) return;
  const { chat, message: message_id } = pressed;
  const reply_markup = keyboardOf(buttonRows(context.say, actions, MESSAGE));
  const edit = { chat_id: chat, message_id, reply_markup };
  await context.sender.call("editMessageReplyMarkup", edit, { chat });
}
