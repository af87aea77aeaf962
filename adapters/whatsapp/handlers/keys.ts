import type { FoundKey } from "../../../src/seam/access/keys.ts";
import { foundKeyView, keyInMessage, saysKeyAlone, takeKey, withoutKeys } from "../../kit/handlers/keys.ts";
import { addressOf, type WhatsAppContext, contextAt } from "../context/context.ts";
import { wordsIn } from "../context/media.ts";
import type { WhatsAppMessage } from "../context/update.ts";
import { drafts } from "../messages/channel.ts";
import { commandIn } from "./commands.ts";
import { type Handler, platform, tell } from "./platform.ts";

/** Keeps keys from being taken for words. The message that holds one stays: WhatsApp lets nobody else delete it. */
export const keysHandler = (others: readonly Handler[]): Handler =>
  withoutKeys<WhatsAppContext, FoundKey>(
    {
      find: async (context) =>
        context.message && keyInMessage(context, { ...suspectIn(context.message), suspicion: "guess" }),
      takeAway,
    },
    others,
  );

const suspectIn = (message: WhatsAppMessage) => ({
  words: wordsIn(message),
  files: [message.document?.filename],
  command: commandIn(message),
});

async function takeAway(context: WhatsAppContext, found: FoundKey): Promise<WhatsAppContext | undefined> {
  const { replyTo: _key, ...address } = addressOf(context.origin.address);
  const quiet: WhatsAppContext = { ...context, origin: { ...context.origin, address } };
  await tell(quiet, quiet.say("whatsapp.key.still_there"));
  const { message } = context;
  await takeKey(quiet, found, {
    tell: (_, text) => platform.post(quiet, foundKeyView(text)),
    connect: (there, key) => connectWith(there, key),
    isMeant: message !== undefined && saysKeyAlone(suspectIn(message), found.key),
  });
  return message && wordless(quiet, message);
}

/** Stores a key, where it is one; then what the person had begun before goes on. */
async function connectWith(context: WhatsAppContext, key: string): Promise<void> {
  if (await context.intake.command(context.origin, "connect", { key })) await goOn(context);
}

/** Goes on with what waited for a key, as an answer to what it began with. */
export const goOn = (context: WhatsAppContext): Promise<void> =>
  drafts.goOn(context, ({ address }) =>
    contextAt(context, addressOf({ ...context.origin.address, ...address })),
  );

const bare = <F extends object>(file: F | undefined) =>
  file && { ...file, caption: undefined, filename: undefined };

/** A message without its words, where there is something else in it. */
function wordless(context: WhatsAppContext, message: WhatsAppMessage): WhatsAppContext | undefined {
  const { image, video, document } = message;
  if (!image && !video && !document) return undefined;
  const files = { image: bare(image), video: bare(video), document: bare(document) };
  return { ...context, message: { ...message, ...files, text: undefined } };
}
