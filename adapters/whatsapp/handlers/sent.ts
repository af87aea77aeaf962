import { ReelayError } from "../../../src/common/errors.ts";
import { sayProblem } from "../../../src/seam/text/say.ts";
import { ownPart } from "../../../src/seam/text/actions.ts";
import { draftHandlers } from "../../kit/handlers/drafts.ts";
import { leftoverNoted, uselessView, WORDS } from "../../kit/handlers/leftover.ts";
import { togetherHandler } from "../../kit/handlers/together.ts";
import { addressOf, type WhatsAppContext } from "../context/context.ts";
import { pictureIn, soundIn, videoIn, wordsIn } from "../context/media.ts";
import { drafts } from "../messages/channel.ts";
import { begin } from "./commands.ts";
import { chosen, type Handler, platform, tell } from "./platform.ts";

const chatOf = ({ origin }: WhatsAppContext) => addressOf(origin.address).chat;

/** Notes the picture of a message, so that an answer to it is known to be about it: once no key is in its name any more. */
export const noted: Handler = async (context) => {
  const { message, notes } = context;
  const picture = message && pictureIn(message);
  if (picture) await notes.keep(chatOf(context), `picture:${message.id}`, picture);
  return false;
};

const {
  press,
  answer,
  begin: beginDraft,
} = draftHandlers<WhatsAppContext>(drafts, platform, {
  sentIn({ message, replied }) {
    if (!message || message.interactive) return undefined;
    const picture = pictureIn(message);
    const sound = soundIn(message);
    const video = picture ? undefined : videoIn(message);
    if (!picture && !video && !sound && !message.text) return undefined;
    return { words: wordsIn(message), picture, video, sound, reply: replied };
  },
  pressedDraft: (context) => chosen(context)?.draft ?? "",
  refuse: (context, why) => tell(context, sayProblem(context.say, why)),
});

const together = togetherHandler<WhatsAppContext>(drafts, {
  sentIn({ message }) {
    const picture = message && pictureIn(message);
    return picture && { message: message.id, picture, words: wordsIn(message) };
  },
  chatOf,
  answerTo: (message) => ({ replyTo: message }),
  alone: beginDraft,
});

const fromWords: Handler = async (context) => {
  const operation = ownPart(chosen(context)?.token, WORDS);
  if (operation === undefined) return false;
  const spec = context.intake.commands.find(({ name }) => name === operation);
  const words = await context.notes.find<string>(chatOf(context), "words");
  if (!spec) throw new ReelayError("stale_button");
  await begin(context, spec, words ?? "");
  return true;
};

/** Says what to do with what nobody has a use for. */
const lastWord: Handler = async (context) => {
  const { message } = context;
  if (!message) return false;
  if (message.interactive) throw new ReelayError("stale_button");
  // The button of the template opened the chat, and what waited is told.
  if (message.type === "button") return true;
  const useless = message.type === "location" && uselessView("whatsapp.location");
  const words = message.text?.body.trim() ?? "";
  await platform.post(context, useless || (await leftoverNoted(context, chatOf(context), words)));
  return true;
};

/** Whoever deals with what people send and choose, in their order. */
export const sentHandlers: readonly Handler[] = [fromWords, press, answer, together, beginDraft, lastWord];
