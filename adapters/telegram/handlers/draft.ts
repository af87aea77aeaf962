import { refusalView } from "../../../src/seam/text/notices.ts";
import { say as sayMessage, sayProblem } from "../../../src/seam/text/say.ts";
import { cancelDrafts as cancel, draftHandlers as handlersOf } from "../../kit/handlers/drafts.ts";
import { type Sent, takeEdit } from "../../kit/drafts/sent.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { ifThere } from "../api/errors.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, readCommand, repliedTo, textOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { draftId, drafts } from "../drafts/messages.ts";
import { isRemade, pictureIn, soundIn, videoIn } from "../media/files.ts";
import { albumHandler, dropAlbums } from "./album.ts";
import { answerPress, isOfSomebodyElse, pressedMessage } from "./press.ts";
import { platform, telling } from "./platform.ts";

const { press, answer, begin, answerAtOnce } = handlersOf(drafts, platform, {
  sentIn(context) {
    const message = messageOf(context);
    if (!message) return undefined;
    const picture = pictureIn(message);
    const sound = soundIn(message);
    const video = picture ? undefined : videoIn(message);
    if (!picture && !video && !sound && !("text" in message)) return undefined;
    const words = withoutMention(textOf(message), context.username);
    return { words, picture, isRemade: isRemade(message), video, sound, reply: repliedIn(context) };
  },

  pressedDraft(context) {
    const { chat = 0, message = 0 } = pressedMessage(context) ?? {};
    return draftId(chat, message);
  },

  async refuse(context, why) {
    const { say } = context;
    const view = refusalView(why);
    const isNotice = view.kind === "notice";
    const said = isNotice ? sayMessage(say, view.text) : sayProblem(say, view.problem);
    await answerPress(context, said, { quiet: isNotice });
  },

  async repair(context) {
    const pressed = pressedMessage(context);
    // Somebody else's may be posted, and not kept yet.
    if (!pressed || isOfSomebodyElse(context)) return;
    const { chat, message: message_id } = pressed;
    const edit = { chat_id: chat, message_id, reply_markup: { inline_keyboard: [] } };
    await ifThere(() => context.sender.call("editMessageReplyMarkup", edit, { chat }));
  },
});

function repliedIn(context: UpdateContext): Sent["reply"] {
  const replied = repliedTo(messageOf(context));
  if (!replied) return undefined;
  const { message_id: replyTo, chat } = replied;
  return { draft: draftId(chat.id, replyTo), picture: pictureIn(replied), address: { replyTo } };
}

/** Gives up what a person prepares in a chat, albums that are still to be shown with it. @returns how many things those were */
export async function cancelDrafts(context: UpdateContext): Promise<number> {
  const reply = repliedIn(context);
  const albums = reply ? 0 : await dropAlbums(context);
  const open = await cancel(drafts, context, reply);
  // No message shows it.
  if (albums === 1 && open === 0)
    await platform.post(context, { kind: "notice", text: { key: "job.cancelled" } });
  return albums + open;
}

/** Takes what somebody wrote anew for the words of their draft that answers it; all else had its turn when it came. */
export const editHandler: Handler = telling(async (context) => {
  const { update, memory, origin, username } = context;
  if (!("edited_message" in update)) return false;
  const message = update.edited_message;
  const draft = await new DraftStore(memory).current(origin);
  const isMeant = draft?.owner === origin.user && draft.address["replyTo"] === message.message_id;
  const words = withoutMention(textOf(message), username);
  if (draft && isMeant && readCommand(words, username) === undefined)
    await takeEdit(drafts, context, draft, words);
  return true;
});

export { answerAtOnce as answerDraftPress };

/** Whoever deals with what people send and choose, in their order. */
export const draftHandlers: readonly Handler[] = [press, answer, albumHandler, begin].map(telling);
