import { sayProblem } from "../../../src/seam/text/say.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { press } from "../../kit/drafts/press.ts";
import { DRAFT } from "../../kit/drafts/page-parts.ts";
import { beginWith, draftMeant, type Sent, takeAnswer } from "../../kit/drafts/sent.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import { type Handler, pressedOf, type UpdateContext } from "../context/context.ts";
import { draftId, drafts } from "../drafts/messages.ts";
import { pictureIn, soundIn } from "../media/files.ts";
import { albumHandler } from "./album.ts";
import { answerPress, pressedMessage } from "./press.ts";
import { telling } from "./platform.ts";

/** Presses that come to nothing are answered over the chat. */
const REFUSALS: ReadonlySet<string> = new Set(["not_yours", "already_begun", "stale_button"]);

/** Presses on the drafts' buttons. */
const pressHandler: Handler = async (context) => {
  const what = pressedOf(context, DRAFT);
  if (what === undefined) return false;
  const { chat = 0, message = 0 } = pressedMessage(context) ?? {};
  try {
    await press(drafts, context, draftId(chat, message), what);
    await answerPress(context);
  } catch (error) {
    if (!(error instanceof ReelayError) || !REFUSALS.has(error.code)) throw error;
    await answerPress(context, sayProblem(context.say, error), { quiet: error.code === "already_begun" });
  }
  return true;
};

/** What a message brings that drafts have a use for. */
function sentIn(context: UpdateContext): Sent | undefined {
  const message = messageOf(context);
  if (!message) return undefined;
  const picture = pictureIn(message);
  const sound = soundIn(message);
  if (!picture && !sound && !("text" in message)) return undefined;
  const words = withoutMention(textOf(message), context.username);
  return { words, picture, sound, reply: repliedIn(context) };
}

function repliedIn(context: UpdateContext): Sent["reply"] {
  const message = messageOf(context);
  const replied = message && "reply_to_message" in message ? message.reply_to_message : undefined;
  if (!replied) return undefined;
  const { message_id: replyTo, chat } = replied;
  return { draft: draftId(chat.id, replyTo), picture: pictureIn(replied), address: { replyTo } };
}

const answerHandler: Handler = async (context) => {
  const sent = sentIn(context);
  return sent !== undefined && takeAnswer(drafts, context, sent);
};

const beginHandler: Handler = async (context) => {
  const sent = sentIn(context);
  return sent !== undefined && beginWith(drafts, context, sent);
};

/**
 * Gives up the draft that a person works on in a chat.
 * @returns whether there was one
 */
export async function cancelDraft(context: UpdateContext): Promise<boolean> {
  const meant = await draftMeant(context, repliedIn(context));
  const draft = meant?.draft ?? (await new DraftStore(context.memory).current(context.origin));
  if (draft) await drafts.cancel(context, draft);
  return draft !== undefined;
}

/** Whoever deals with what people send and choose, in their order. */
export const draftHandlers: readonly Handler[] = [
  pressHandler,
  answerHandler,
  albumHandler,
  beginHandler,
].map(telling);
