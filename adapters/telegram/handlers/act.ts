import type { Action } from "../../../src/seam/views.ts";
import { pressHandlers } from "../../kit/handlers/press.ts";
import { noteAsked } from "../../kit/results/asked-again.ts";
import { buttonRows } from "../../kit/messages/buttons.ts";
import { isOwnToken, parseToken } from "../../../src/seam/text/actions.ts";
import { addressOf } from "../context/address.ts";
import { tokenOf, type UpdateContext } from "../context/context.ts";
import { keyboardOf, MESSAGE } from "../messages/render.ts";
import { connect } from "./connect.ts";
import { clearLeft, takeLate } from "./left.ts";
import { platform } from "./platform.ts";
import { answeredMessage, answerPress, pressedMessage } from "./press.ts";

/** How long after it was asked for a result may still be pointed at where that was, in milliseconds. */
const ASKED_MS = 15 * 60_000;

/** Presses the core's buttons. */
export const actHandlers = pressHandlers(platform, {
  pressedOn: (context) => String(pressedMessage(context)?.message),
  confirm: showButtons,
  settle: (context) => showButtons(context, []),
  async act(context, token, traits) {
    if (isAside(context, token)) return actAside(context, token);
    await answerPress(context);
    await noteShow(context, token);
    // A key's message is deleted, so it is asked for here.
    return traits.asks === "key" ? connect(context, "") : context.intake.act(context.origin, token);
  },
});

/** Notes where a result is asked for again: one that is in a group is pointed at from the private chat. */
async function noteShow({ memory, origin }: UpdateContext, token: string): Promise<void> {
  const { command, arg } = parseToken(token);
  if (command !== "show" || origin.audience !== "private") return;
  const { chat, locale } = addressOf(origin.address);
  await noteAsked(memory, arg, chat, { chat, locale }, ASKED_MS);
}

/** Answers a press on a button of the core's before its turn, where its answer is nothing that is said over the chat. */
export async function answerCorePress(context: UpdateContext): Promise<void> {
  const token = tokenOf(context);
  if (token === undefined || isOwnToken(token)) return;
  if (!isAside(context, token)) await answerPress(context);
}

/**
 * Whether what is said about a press is said over the chat: a sentence about a job, at once; of a question's answer only what
 * became of it is to stay; and a group is not to hear it where what is pressed is not certainly the presser's own.
 */
function isAside(context: UpdateContext, token: string): boolean {
  if (!("callback_query" in context.update)) return false;
  if (answersQuestion(context, token)) return true;
  const { aside, brief } = context.intake.buttons.get(parseToken(token).command) ?? {};
  // What is posted waits for its turn in the chat, and nobody would know what it is about by then.
  if (brief) return true;
  return aside === true ? context.origin.audience !== "private" : !isCertainlyTheirs(context);
}

/** Whether what was pressed is nobody else's: in private, and below what they sent themselves. */
function isCertainlyTheirs(context: UpdateContext): boolean {
  if (context.origin.audience === "private" || !("callback_query" in context.update)) return true;
  return answeredMessage(context)?.from?.id === context.update.callback_query.from.id;
}

/** Whether a button is what another one asks for, in a message of its own. */
function answersQuestion({ intake }: UpdateContext, token: string): boolean {
  const { command } = parseToken(token);
  return [...intake.buttons.values()].some(({ confirms }) => confirms === command);
}

/** Presses a button whose answer is said over the chat (`sayAside`), or only ends the waiting. */
async function actAside(context: UpdateContext, token: string): Promise<void> {
  const { update, intake, origin, presses } = context;
  if (!("callback_query" in update)) return;
  const { id: press } = update.callback_query;
  const isTheirAnswer = answersQuestion(context, token) && isCertainlyTheirs(context);
  const question = isTheirAnswer ? pressedMessage(context)?.message : undefined;
  const address = { ...origin.address, press, ...(question !== undefined && { question }) };
  presses.set(press, (view) => void takeLate(context, token, view));
  try {
    await intake.act({ ...origin, address }, token);
    await clearLeft(context, parseToken(token).arg);
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
