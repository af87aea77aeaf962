import type { Message } from "telegraf/types";
import { keyInMessage, saysKeyAlone, takeKey, withoutKeys } from "../../kit/handlers/keys.ts";
import type { FoundKey, Suspicion } from "../../../src/seam/access/keys.ts";
import { isAddressed } from "../context/addressed.ts";
import { anyMessageOf, readCommand, textOf } from "../context/command-line.ts";
import { typedName } from "../../kit/handlers/command-names.ts";
import { isForKey } from "../../kit/handlers/question.ts";
import { questions } from "./platform.ts";
import { tell } from "./tell.ts";
import { connectWith, removeMessage, unquoting } from "./connect.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { leadToPrivate } from "./groups.ts";
import { connectGroup } from "./rules.ts";
import { groupIn, TEMPLATE_LINK } from "./links.ts";

/**
 * Takes keys away from what people send, write anew or search for, before anything is kept, shown or sent of it. A
 * picture that came with one goes on without its words.
 * @param others deal with what is left, as with everything that holds no key
 */
export const keysHandler = (others: readonly Handler[]): Handler =>
  withoutKeys({ find: keyIn, takeAway }, others);

async function keyIn(context: UpdateContext): Promise<FoundKey | undefined> {
  const { intake, origin, update, username } = context;
  if ("inline_query" in update) return intake.keys.find(origin, update.inline_query.query, "guess");
  const message = anyMessageOf(context);
  if (!message) return undefined;
  const command = readCommand(textOf(message), username);
  // A link to a template, or to a group's rules, is started with it.
  const isLink = command && (command.words.startsWith(TEMPLATE_LINK) || groupIn(command.words) !== undefined);
  return keyInMessage(context, {
    words: textOf(message),
    files: [fileNameOf(message)],
    command: command && { name: command.name, words: isLink ? "" : command.words },
    suspicion: await suspicionOf(context),
  });
}

/** What is said in a group to others is none of ours, but a key that we know is to nobody's good there. */
async function suspicionOf(context: UpdateContext): Promise<Suspicion> {
  if (context.origin.audience !== "private") return isAddressed(context) ? "guess" : "known";
  return isForKey(await questions.standing(context)) ? "asked" : "guess";
}

/** What the file is called that a message brings. */
function fileNameOf(message: Message): string | undefined {
  if ("document" in message) return message.document.file_name;
  return "audio" in message ? message.audio.file_name : undefined;
}

/** Deletes what holds a key and deals with the key. Returns what is left of it to be dealt with. */
async function takeAway(context: UpdateContext, found: FoundKey): Promise<UpdateContext | undefined> {
  const { update, origin, say } = context;
  if ("inline_query" in update) {
    await answerNothing(context, update.inline_query.id);
    return undefined;
  }
  const gone = await removeMessage(context);
  const quiet = unquoting(context);
  if (origin.audience !== "private") {
    await tell(quiet, say(gone ? "telegram.connect.withdrawn" : "telegram.connect.exposed"));
    await leadToPrivate(quiet, "connect");
    return undefined;
  }
  const asked = await questions.take(context);
  if (!gone) await tell(quiet, say("telegram.connect.still_there"));
  const message = anyMessageOf(context);
  await takeKey(quiet, found, {
    tell: (_, text) => tell(quiet, say(text)),
    connect: (there, key) =>
      asked?.question === "group_key" ? connectGroup(there, Number(asked.of), key) : connectWith(there, key),
    isMeant: isForKey(asked) || (message !== undefined && isConnecting(context, message, found.key)),
  });
  return wordless(quiet);
}

/** Whether a message says nothing but its key, so that its sender knows why it is gone. */
function isConnecting({ username }: UpdateContext, message: Message, key: string): boolean {
  const words = textOf(message);
  return saysKeyAlone({ words, command: readCommand(words, username) }, key);
}

/** What Telegram has of a search cannot be deleted: it is answered with nothing but the way to connect. */
async function answerNothing({ sender, say }: UpdateContext, id: string): Promise<void> {
  await sender.call("answerInlineQuery", {
    inline_query_id: id,
    results: [],
    cache_time: 0,
    is_personal: true,
    button: { text: say("telegram.connect.first"), start_parameter: "connect" },
  });
}

/** A new message without its words, where there is something else in it: whoever followed a link is greeted in any case. */
function wordless(context: UpdateContext): UpdateContext | undefined {
  const { update, username } = context;
  if (!("message" in update)) return undefined;
  const { message } = update;
  if ("text" in message && typedName(readCommand(message.text, username)?.name ?? "") === "start")
    return { ...context, update: { ...update, message: { ...message, text: "/start" } } };
  if (!("photo" in message || "document" in message || "audio" in message)) return undefined;
  const { caption: _, caption_entities: _entities, ...rest } = message;
  const wordless = {
    ...rest,
    ...("document" in rest && { document: { ...rest.document, file_name: undefined } }),
    ...("audio" in rest && { audio: { ...rest.audio, file_name: undefined } }),
  };
  return { ...context, update: { ...update, message: wordless as typeof message } };
}
