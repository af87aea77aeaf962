import type { CommandSpec } from "../../../src/seam/fields.ts";
import { startOperation } from "../../kit/drafts/start.ts";
import { browseHandler, catalogueView } from "../../kit/handlers/browse.ts";
import { choiceHandler } from "../../kit/handlers/choices.ts";
import { commandBehindSlash, typedName } from "../../kit/handlers/command-names.ts";
import { saidCommand } from "../../kit/handlers/said-command.ts";
import { TypedCommands } from "../../kit/handlers/commands.ts";
import { cancelDrafts } from "../../kit/handlers/drafts.ts";
import { moreHandler } from "../../kit/handlers/more.ts";
import { isForKey } from "../../kit/handlers/question.ts";
import { pressHandlers } from "../../kit/handlers/press.ts";
import { buttonOf } from "../../kit/messages/buttons.ts";
import { addressOf, type WhatsAppContext } from "../context/context.ts";
import { pictureIn, videoIn, wordsIn } from "../context/media.ts";
import type { WhatsAppMessage } from "../context/update.ts";
import { drafts } from "../messages/channel.ts";
import { choose, say } from "../messages/post.ts";
import { chatOf, type Handler, leadToStudio, platform, questions, tell } from "./platform.ts";

/** The command that a message begins with, and what stands behind it. */
export const commandIn = (message: WhatsAppMessage) => commandBehindSlash(wordsIn(message));

/** Starts a draft: the words are its text, and a picture that was sent along or is replied to is its picture. */
export function begin(context: WhatsAppContext, spec: CommandSpec, words: string): Promise<void> {
  const { message, replied } = context;
  const picture = (message && pictureIn(message)) ?? replied?.picture;
  return startOperation(drafts, context, spec, { words, picture, video: message && videoIn(message) });
}

/** A key is entered on the page alone: it passes through no chat there. */
const connect = (context: WhatsAppContext) => leadToStudio(context, "chat.connect.page");

const commands = new TypedCommands<WhatsAppContext>(platform, {
  connect,
  cancel: (context) => cancelDrafts(drafts, context, undefined),
  begin,
  // Everybody is in private here, and no link leads anywhere.
  leadToPrivate: async () => {},
  follow: async () => false,
  studio: (context) => leadToStudio(context, "chat.studio"),
  explainPhotos: (context) => tell(context, context.say("chat.start.photo_hint")),
});

/** What answers a photo is about that, whatever it says. */
const typed = commands.typedHandler((context) => {
  const { message, replied } = context;
  const said = replied ? "" : message?.text?.body;
  return (message && commandIn(message)) ?? saidCommand(context, said);
});

/** Words that were asked for. Whatever else somebody does takes the question back. */
const answer: Handler = async (context) => {
  const { message } = context;
  const asked = await questions.take(context);
  if (!asked || isForKey(asked) || !message?.text) return false;
  const command = commandIn(message);
  if (command && typedName(command.name) !== "cancel") return false;
  if (command) await platform.post(context, { kind: "notice", text: { key: "chat.cancel.done" } });
  else if (asked.question === "templates" || asked.question === "models")
    await platform.post(context, await catalogueView(context, asked.question, wordsIn(message)));
  return true;
};

/** Shows more of what can be chosen. */
const more = moreHandler<WhatsAppContext>(platform, {
  chatOf,
  show: (context, { said, from }) => choose(context, addressOf(context.origin.address), said, from),
});

/** The core's buttons. What takes everything away is asked for twice, each question a message of its own. */
const presses = pressHandlers<WhatsAppContext>(platform, {
  pressedOn: ({ message }) => message?.context?.id ?? message?.id ?? "",
  confirm: (context, actions) =>
    say(context, addressOf(context.origin.address), {
      text: context.say("whatsapp.sure"),
      buttons: actions.map((action) => buttonOf(context.say, action)),
    }),
  settle: async (context, isSure) => {
    if (!isSure) await tell(context, context.say("chat.cancel.done"));
  },
  act: (context, token, { asks }) =>
    asks === "key" ? connect(context) : context.intake.act(context.origin, token),
});

/** Handlers of words and buttons, in their order: a command is never taken for what is to be made. */
export const wordHandlers: readonly Handler[] = [
  answer,
  typed,
  commands.stepHandler,
  choiceHandler(platform),
  browseHandler(platform, { ask: (context, kind) => questions.ask(context, kind) }),
  more,
  ...presses,
];
