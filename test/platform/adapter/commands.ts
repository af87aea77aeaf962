import type { FoundKey } from "../../../src/seam/access/keys.ts";
import { startDraft } from "../../../adapters/kit/drafts/start.ts";
import { browseHandler } from "../../../adapters/kit/handlers/browse.ts";
import { choiceHandler } from "../../../adapters/kit/handlers/choices.ts";
import { commandBehindSlash } from "../../../adapters/kit/handlers/command-names.ts";
import { TypedCommands } from "../../../adapters/kit/handlers/commands.ts";
import { cancelDrafts } from "../../../adapters/kit/handlers/drafts.ts";
import { keyInMessage, takeKey, withoutKeys } from "../../../adapters/kit/handlers/keys.ts";
import type { HandlerFor } from "../../../adapters/kit/pipeline/handler.ts";
import { addressOf, type Context } from "./context.ts";
import { drafts } from "./messages.ts";
import { platform, tell } from "./platform.ts";

const commandIn = ({ update }: Context) => commandBehindSlash(update.text ?? "");

const commands = new TypedCommands<Context>(platform, {
  connect: (context) => tell(context, context.say("chat.ask.key")),
  cancel: (context) => cancelDrafts(drafts, context, undefined),
  begin: (context, { name }) => startDraft(drafts, context, name, {}),
  // Everybody is in private here, and no link leads anywhere.
  leadToPrivate: async () => {},
  studio: (context) => tell(context, context.say("chat.studio.off")),
  follow: async () => false,
  explainPhotos: (context) => tell(context, context.say("chat.start.photo_hint")),
});

/** Handlers of commands, and of the catalogue that they open. */
export const commandHandlers: readonly HandlerFor<Context>[] = [
  commands.typedHandler(commandIn),
  commands.stepHandler,
  choiceHandler(platform),
  browseHandler(platform, { ask: (context, kind) => tell(context, context.say(`chat.ask.${kind}`)) }),
];

/** Takes a key away with the message that holds it, before anything else is done with that. */
export const withoutKeyMessages = (others: readonly HandlerFor<Context>[]) =>
  withoutKeys<Context, FoundKey>(
    {
      find: (context) =>
        keyInMessage(context, {
          words: context.update.text ?? "",
          files: [context.update.file?.name],
          command: commandIn(context),
          suspicion: "guess",
        }),
      async takeAway(context, found) {
        const { api, origin, update } = context;
        const { replyTo: _, ...address } = addressOf(origin.address);
        const quiet = { ...context, origin: { ...origin, address } };
        await api.remove(address.chat, update.message);
        await takeKey(quiet, found, {
          tell: (_context, text) => tell(quiet, quiet.say(text)),
          connect: (_context, key) => quiet.intake.command(quiet.origin, "connect", { key }),
          isMeant: commandIn(context)?.name === "connect",
        });
        // A picture goes on without its words.
        const { text: _words, ...wordless } = update;
        return update.file && { ...quiet, update: wordless };
      },
    },
    others,
  );
