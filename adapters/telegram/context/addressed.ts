import type { Message } from "telegraf/types";
import { seenWords } from "../../../src/seam/text/cut.ts";
import { isCommand } from "../../kit/handlers/command-names.ts";
import {
  anyMessageOf,
  type CommandLine,
  isName,
  messageOf,
  repliedTo,
  readCommand,
  textOf,
} from "./command-line.ts";
import type { Handler, UpdateContext } from "./context.ts";

/** How long the other pictures of an album may come after the one with the mention, in milliseconds. */
const ALBUM_MS = 60_000;

/** Whether an update is meant for the bot: in groups only commands, mentions and replies to it are. */
export function isAddressed(context: UpdateContext): boolean {
  const { update, username } = context;
  const message = anyMessageOf(context);
  if (!message) return "callback_query" in update || "inline_query" in update || "my_chat_member" in update;
  // A template that somebody found by inline mode and shared: it carries its own button.
  if ("via_bot" in message && message.via_bot?.username === username) return false;
  if (message.chat.type === "private") return true;
  return isNamed(message, username) || repliesTo(message, username);
}

/** Whether a message is said to the bot by its name, or by a command. */
export const isNamed = (message: Message, username: string): boolean =>
  readCommand(textOf(message), username) !== undefined || mentions(message, username);

/** Whether a command is for this bot: in groups those of other bots are none of ours. */
export const isMeant = ({ intake, origin }: UpdateContext, { name, named }: CommandLine): boolean =>
  named || origin.audience === "private" || isCommand(intake.commands, name);

/** Swallows what is not meant for the bot. Only one picture of an album carries its caption: the others follow it. */
export const silence: Handler = async (context) => {
  const message = messageOf(context);
  const album = message && "media_group_id" in message ? message.media_group_id : undefined;
  const place = `album:${context.origin.user}:${album}`;
  if (isAddressed(context)) {
    if (album !== undefined && context.origin.audience !== "private")
      await context.memory.set(place, true, ALBUM_MS);
    return false;
  }
  return album === undefined || (await context.memory.get(place)) === undefined;
};

/** What was said besides the bot's name. */
export function withoutMention(text: string, username: string): string {
  return seenWords(text.replaceAll(new RegExp(`@${username}\\b`, "gi"), " "));
}

function mentions(message: Message, username: string): boolean {
  const text = textOf(message);
  const entities =
    ("entities" in message && message.entities) ||
    ("caption_entities" in message && message.caption_entities) ||
    [];
  return entities.some(
    ({ type, offset, length }) =>
      type === "mention" && isName(text.slice(offset + 1, offset + length), username),
  );
}

/** In a forum every message that replies to nothing "replies" to the one that opened its topic. */
function repliesTo(message: Message, username: string): boolean {
  const replied = repliedTo(message);
  return replied?.from?.username === username && !("forum_topic_created" in replied);
}
