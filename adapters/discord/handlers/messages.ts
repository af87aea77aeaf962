import { isPicture, openPicture, withPictures, wordsField } from "../../../src/seam/forms/filling.ts";
import { someField } from "../../../src/seam/forms/examined.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import { mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import { tellingBy } from "../../kit/pipeline/handler.ts";
import { BLANK, type NewDraft } from "../../kit/drafts/draft.ts";
import { filledWith } from "../../kit/drafts/start.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { saidCommand } from "../../kit/handlers/said-command.ts";
import { picturesIn } from "../commands/menus.ts";
import type { MessageContext, MessageHandler } from "../context/message.ts";
import { newDraft } from "../drafts/ask.ts";
import { goOn } from "../drafts/begin.ts";
import { closeShown } from "../drafts/shown.ts";
import { offerAll } from "../drafts/offers.ts";
import { attached, readFiles } from "../media/media.ts";
import { messageKeysHandler } from "./keys.ts";
import { openedHandler } from "./opened.ts";
import { show } from "./platform.ts";
import { runSaid } from "./said.ts";

/** What is understood in a server, too: all else is between somebody and the bot alone. */
const IN_SERVERS: ReadonlySet<string> = new Set(["cancel", "help", "start"]);

/** Does what a command does whose name is all that somebody says to the bot: that is no wish for a picture. */
const saidHandler: MessageHandler = async (context) => {
  const { address, origin, words } = context;
  if (sentWith(context).length > 0) return false;
  const command = await saidCommand({ ...context, origin: { ...origin, locale: address.locale } }, words);
  if (!command || (origin.audience !== "private" && !IN_SERVERS.has(command.name))) return false;
  await runSaid(context, command.name);
  return true;
};

/** Begins with the pictures of a message, or of the one that it replies to; its words say what is meant. */
const photoHandler: MessageHandler = async (context) => {
  const { words } = context;
  const pictures = sentWith(context);
  if (pictures.length === 0) return false;
  const begun =
    (await continued(context, pictures)) ??
    (await filledWith<NewDraft>(context, BLANK, { pictures, sounds: [], ...(words && { words }) }));
  if (begun.operation !== undefined) await begin(context, begun);
  else await makeCurrent(context, await offerAll(context, await looked(context, pictures)));
  return true;
};

/** Takes words for what is meant by a draft. */
const wordsHandler: MessageHandler = async (context) => {
  const begun = context.words === "" ? undefined : await continued(context, []);
  if (begun?.operation === undefined) return false;
  await begin(context, begun);
  return true;
};

/**
 * What a message makes of the draft that its author began last with one, in direct messages: its words become other ones, and
 * a picture that it waits for comes into it.
 * @returns undefined where it is about something else; what it had made already where a process was killed meanwhile
 */
async function continued(
  context: MessageContext,
  pictures: readonly MediaRef[],
): Promise<NewDraft | undefined> {
  const { words, memory, origin, intake, message } = context;
  if (origin.audience !== "private") return undefined;
  const store = new DraftStore(memory);
  const draft = (await store.current(origin)) ?? (await store.find(message.id));
  if (draft?.owner !== origin.user) return undefined;
  const { operation, given } = draft;
  if (operation === undefined) {
    // Whatever else can be made of its pictures can still be chosen.
    if (pictures.length > 0) return undefined;
    return filledWith<NewDraft>(context, BLANK, { ...given, words });
  }
  if (draft.id === message.id) return draft;
  const sheet = sheetOf(draft, intake.commands);
  // It was switched off meanwhile: what comes now begins anew.
  if (!sheet) return undefined;
  const { fields } = sheet;
  const field = wordsField(fields);
  const isWaiting = openPicture(fields, draft.values) !== undefined;
  if (pictures.length > 0 ? !isWaiting || words !== "" : !field) return undefined;
  const values = {
    ...draft.values,
    ...withPictures(fields, pictures),
    ...(field && words && { [field.name]: words }),
  };
  const begun = { ...BLANK, operation, values };
  // First, so that whoever is killed meanwhile loses neither.
  await store.keep(newDraft(context, begun), { fields });
  // What is pressed on the one before would make something else.
  await closeShown(context, draft);
  await store.finish(draft, "given_up");
  return begun;
}

const leftoverHandler: MessageHandler = async (context) => {
  await show(context, { kind: "notice", text: { key: "discord.message.no_picture" } });
  return true;
};

/** Whoever deals with messages that people send to the bot, in their order. */
export const MESSAGE_HANDLERS: readonly MessageHandler[] = [
  messageKeysHandler([
    openedHandler,
    ...[saidHandler, photoHandler, wordsHandler, leftoverHandler].map(tellingBy<MessageContext>(show)),
  ]),
];

/** Its pictures, else those of the message that it replies to; else its files, which are said to be none when they are looked at. */
function sentWith({ host, message }: MessageContext): readonly MediaRef[] {
  const { attachments, referenced_message: replied } = message;
  const own = picturesIn(host, message);
  if (own.length > 0) return own;
  if (attachments.length > 0) return attachments.map(attached);
  return replied ? picturesIn(host, replied) : [];
}

/** Pictures as they were read. @throws ReelayError for what can never be sent; what is only out of reach is fetched later */
async function looked(context: MessageContext, pictures: readonly MediaRef[]): Promise<readonly MediaRef[]> {
  const field = someField(context.intake, isPicture);
  if (!field) return pictures;
  const { values, problem } = await readFiles(context, context.origin.user, [field], {
    [field.name]: pictures,
  });
  if (problem && !problem.retryable) throw problem;
  return mediaIn(values[field.name]);
}

async function begin(context: MessageContext, begun: NewDraft): Promise<void> {
  const draft = newDraft(context, begun);
  await makeCurrent(context, draft);
  await goOn(context, draft);
}

const makeCurrent = ({ memory, origin }: MessageContext, draft: { readonly id: string }) =>
  new DraftStore(memory).makeCurrent(origin, draft);
