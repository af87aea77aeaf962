import { TelegramError } from "telegraf";
import { ReelayError } from "../../../src/common/errors.ts";
import { scrub } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** No answer of the Bot API's: the connection failed, or something else than Telegram answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Telegram tells its refusals apart by words alone. */
const WORDS = {
  /** The message shows this already. */
  unmodified: /message is not modified/i,
  /** Nothing can be posted there: blocked, kicked, no such chat, topic closed. */
  unreachable:
    /chat not found|topic_(closed|deleted)|message thread not found|peer_id_invalid|user is deactivated|group chat was deleted|chat_write_forbidden|chat_restricted|(not enough|have no) rights to send (text messages|a message)/i,
  /** Nobody waits for this answer any more. */
  too_late: /query is too old|query id is invalid/i,
  /** The message to be changed, deleted or answered is not there, or cannot be edited any more. */
  message_gone:
    /message(_id_invalid| identifier is not specified)|message to (be )?\w+ not found|message can't be edited|there is no (text|caption|media) in the message to edit/i,
  /** Of files that are sent or fetched. */
  file_too_large: /file is too big|entity too large|file_parts_invalid/i,
  file_gone: /wrong (file_id|file identifier|remote file)|invalid file_id|temporarily unavailable/i,
} as const;

/**
 * What a failure of the Bot API means: one of the above, or
 * - `moved`: the group has another id now
 * - `flood`: too fast; `retry_after` says how long to wait
 * - `down`: Telegram or the way there fails; whether the call was carried out is not known
 * - `refused`: whatever else Telegram does not take
 */
export type Meaning = keyof typeof WORDS | "moved" | "flood" | "down" | "refused";

/** What an error thrown by `Sender` means; undefined for what is not Telegram's. */
export function meaningOf(error: unknown): Meaning | undefined {
  if (error instanceof NoAnswer) return "down";
  if (error instanceof ReelayError) return error.code === "undeliverable" ? "unreachable" : undefined;
  if (!(error instanceof TelegramError)) return undefined;
  const { code, description, parameters } = error;
  if (parameters?.migrate_to_chat_id !== undefined) return "moved";
  if (code === 429) return "flood";
  if (code === 403) return "unreachable";
  if (code === 413) return "file_too_large";
  if (code >= 500) return "down";
  const told = Object.entries(WORDS).find(([, words]) => words.test(description));
  return told ? (told[0] as Meaning) : "refused";
}

/** As Telegram refuses what is about a message that is not there. */
export const messageGone = () =>
  new TelegramError({ error_code: 400, description: "Bad Request: message to edit not found" });

/** Does something with a message that may be gone by now. @returns whether it is there */
export async function ifThere(task: () => Promise<unknown>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    if (meaningOf(error) === "message_gone") return false;
    throw error;
  }
}

/** How long Telegram wants to be left alone, in milliseconds; undefined when it does not say. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = error instanceof TelegramError ? error.parameters?.retry_after : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Whether Telegram knows no bot with this token. */
export function isUnknownToken(error: unknown): boolean {
  return error instanceof TelegramError && (error.code === 401 || error.code === 404);
}

/** The id that a group has now, when that is why it was refused. */
export function movedTo(error: unknown): number | undefined {
  return error instanceof TelegramError ? error.parameters?.migrate_to_chat_id : undefined;
}

/**
 * The same failure as it may be shown and logged: telegraf's errors carry the bot's token in addresses, and the
 * whole call with people's words in it.
 */
export function presentable(error: unknown): Error {
  if (error instanceof TelegramError) return new TelegramError(error.response);
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return new NoAnswer(scrub.text(`${name}: ${message}`));
}
