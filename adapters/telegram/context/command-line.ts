import type { Message } from "telegraf/types";
import type { UpdateContext } from "./context.ts";

/** A command as somebody typed it. */
export interface CommandLine {
  /** Without the slash and the bot's name; as typed. */
  readonly name: string;
  /** What stands behind it. */
  readonly words: string;
  /** Whether the bot's own name stands at it: in groups other bots may have the same command. */
  readonly named: boolean;
}

const LINE = /^\/(\w+)(?:@(\w+))?(?:\s+([^]*))?$/;

/**
 * Reads a command.
 * @returns undefined for anything else, and for a command of another bot
 */
export function readCommand(text: string, username: string): CommandLine | undefined {
  const [, name, bot, words = ""] = LINE.exec(text.trim()) ?? [];
  if (name === undefined || (bot !== undefined && !isName(bot, username))) return undefined;
  return { name, words, named: bot !== undefined };
}

/** The new message that an update brings. */
export function messageOf({ update }: UpdateContext): Message | undefined {
  return "message" in update ? update.message : undefined;
}

/** The message that an update brings, also one that was written anew. */
export function anyMessageOf({ update }: UpdateContext): Message | undefined {
  if ("message" in update) return update.message;
  return "edited_message" in update ? update.edited_message : undefined;
}

/** The message that one replies to. */
export function repliedTo(message: Message | undefined): Message | undefined {
  return message && "reply_to_message" in message ? message.reply_to_message : undefined;
}

/** What a message says, with or without a picture. */
export function textOf(message: Message): string {
  if ("text" in message) return message.text;
  return ("caption" in message && message.caption) || "";
}

/** The command that an update brings, in a message or in a picture's caption. */
export function commandIn(context: UpdateContext): CommandLine | undefined {
  const message = messageOf(context);
  return message && readCommand(textOf(message), context.username);
}

/** Whether a name, without @, is the bot's. Telegram's names know no upper and lower case. */
export const isName = (name: string, username: string) => name.toLowerCase() === username.toLowerCase();
