import { isOwnToken, ownAction, ownPart, parseToken } from "../../../src/seam/text/actions.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { takeEdit } from "../../kit/drafts/sent.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, repliedTo, textOf } from "../context/command-line.ts";
import { type Handler, tokenOf, type UpdateContext } from "../context/context.ts";
import { drafts } from "../drafts/messages.ts";
import { platform } from "./platform.ts";
import { answeredMessage, answerPress } from "./press.ts";

/** The mark of buttons that press a result's own, and put the words that answered it into the form that opens. */
const WITH_WORDS = "r";

/** What is offered to words that answer a result: those of its own buttons that open a form for words. */
export function resultOffer(context: UpdateContext): NoticeView | undefined {
  const replied = repliedTo(messageOf(context));
  const keyboard = replied && "reply_markup" in replied ? replied.reply_markup?.inline_keyboard : undefined;
  const actions = (keyboard ?? []).flat().flatMap((button) => {
    if (!("callback_data" in button) || !takesWords(context, button.callback_data)) return [];
    const label = { key: "fact.text", params: { text: button.text } } as const;
    return [ownAction(WITH_WORDS, button.callback_data, label)];
  });
  return actions.length > 0 ? { kind: "notice", text: { key: "chat.words.result" }, actions } : undefined;
}

/** Does what {@link resultOffer} offered. The words stand in the message that the offer answers; nothing begins of it. */
export const replyWordsHandler: Handler = async (context) => {
  const token = ownPart(tokenOf(context), WITH_WORDS);
  if (token === undefined) return false;
  if (!takesWords(context, token)) throw new ReelayError("stale_button");
  if (!(await platform.isTheirs(context))) return true;
  await answerPress(context);
  const { intake, memory, origin, username } = context;
  const store = new DraftStore(memory);
  const before = await store.current(origin);
  await intake.act(origin, token);
  const opened = await store.current(origin);
  const said = answeredMessage(context);
  if (opened && said && opened.id !== before?.id)
    await takeEdit(drafts, context, opened, withoutMention(textOf(said), username));
  return true;
};

function takesWords({ intake }: UpdateContext, token: string): boolean {
  return !isOwnToken(token) && intake.buttons.get(parseToken(token).command)?.takesWords === true;
}
