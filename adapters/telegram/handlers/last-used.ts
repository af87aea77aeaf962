import type { CommandSpec } from "../../../src/chat/fields.ts";
import { takesFiles } from "../../../src/chat/filling.ts";
import type { Action } from "../../../src/chat/views.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import { beginOperation } from "./operation.ts";
import { answeredMessage, answerPress, isOfSomebodyElse } from "./press.ts";
import { type Handler, ownButton, pressedOf } from "../context/context.ts";
import { post } from "../messages/post.ts";
import { step } from "./start.ts";

/** The mark of the buttons here. */
const WORDS = "w";

/** What may be sent in private that nobody has a use for; notes of Telegram's own are none of it. */
const SENT = [
  "sticker",
  "video",
  "animation",
  "video_note",
  "document",
  "contact",
  "location",
  "poll",
  "dice",
];

/** Offers what can be made of words alone. They stand in the message that the offer answers. */
export const wordsHandler: Handler = async (context) => {
  const operation = pressedOf(context, WORDS);
  if (operation === undefined) return false;
  await answerPress(context, isOfSomebodyElse(context) ? context.say("error.not_yours") : undefined);
  if (isOfSomebodyElse(context)) return true;
  const spec = context.intake.commands.find(({ name }) => name === operation);
  const words = answeredMessage(context);
  if (spec) await beginOperation(context, spec, words ? withoutMention(textOf(words), context.username) : "");
  return true;
};

/** Deals with what no handler had a use for: says what to do instead. Comes after every other handler. */
export const lastWord: Handler = async (context) => {
  const { update, origin, intake, say, username } = context;
  if ("callback_query" in update) {
    await answerPress(context, say("error.stale_button"));
    return true;
  }
  const message = messageOf(context);
  const isSent =
    message && ("text" in message || (origin.audience === "private" && SENT.some((kind) => kind in message)));
  if (!isSent) return false;
  const words = withoutMention(textOf(message), username);
  await post(context, addressOf(origin.address), {
    kind: "notice",
    text: { key: words ? "telegram.words" : "telegram.what" },
    actions: [...(words ? intake.commands.filter(needsNoFile).map(offer) : []), ...STEPS],
  });
  return true;
};

const STEPS = [step("templates", { key: "telegram.start.templates" }), step("help", { key: "command.help" })];

function offer({ name, label }: CommandSpec): Action {
  return { token: ownButton(WORDS, name), label: { key: label }, style: "secondary" };
}

function needsNoFile({ kind, fields }: CommandSpec): boolean {
  return kind === "operation" && !fields.some((field) => field.required && takesFiles(field));
}
