import type { FoundKey } from "../../../src/seam/access/keys.ts";
import {
  foundKeyView,
  keyInMessage,
  saysKeyAlone,
  takeKey,
  withoutKeys,
  wordless,
} from "../../kit/handlers/keys.ts";
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
  const left = message && wordless(message, ["image", "video", "document"]);
  return left && { ...quiet, message: left };
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
