import { DiscordAPIError, HTTPError, RESTJSONErrorCodes as Code } from "discord.js";
import { scrub } from "../../../src/telemetry.ts";

/**
 * What a failure of Discord's API means:
 * - `unknown_interaction`: it was answered too late, or never existed
 * - `already_answered`: it has its first answer
 * - `token_dead`: no more can be said in it: fifteen minutes have passed, the app was removed, or, where it is only
 *   somebody's own app, five further messages were sent
 * - `message_gone`, `channel_gone`: deleted, or never seen by the bot
 * - `forbidden`: the bot may not do so there
 * - `cannot_dm`: the person takes no direct messages
 * - `file_too_large`: of a file or of the whole request
 * - `unauthorized`: the bot's token is wrong
 * - `down`: Discord or the way there fails; whether the call was carried out is not known
 * - `refused`: whatever else Discord does not take
 */
export type Meaning =
  | "unknown_interaction"
  | "already_answered"
  | "token_dead"
  | "message_gone"
  | "channel_gone"
  | "forbidden"
  | "cannot_dm"
  | "file_too_large"
  | "unauthorized"
  | "down"
  | "refused";

/** By Discord's own numbers (topics/opcodes-and-status-codes, "JSON Error Codes"). */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [Code.UnknownInteraction, "unknown_interaction"],
  [Code.InteractionHasAlreadyBeenAcknowledged, "already_answered"],
  [Code.InvalidWebhookToken, "token_dead"],
  [Code.UnknownWebhook, "token_dead"],
  [Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages, "token_dead"],
  [Code.UnknownMessage, "message_gone"],
  [Code.UnknownChannel, "channel_gone"],
  [Code.UnknownGuild, "channel_gone"],
  [Code.MissingAccess, "forbidden"],
  [Code.MissingPermissions, "forbidden"],
  [Code.CannotSendMessagesToThisUser, "cannot_dm"],
  [Code.UnknownUser, "cannot_dm"],
  [Code.InvalidRecipients, "cannot_dm"],
  [Code.RequestEntityTooLarge, "file_too_large"],
]);

/** A call that Discord refused: its words and numbers, without the address and the body that discord.js keeps. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(scrub.text(message));
    this.status = status;
    this.code = code;
  }
}

/** No answer of Discord's: the connection failed, or something else than Discord answered. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** What an error thrown by `Api` means; undefined for what is not Discord's. */
export function meaningOf(error: unknown): Meaning | undefined {
  if (error instanceof NoAnswer) return "down";
  if (!(error instanceof Refused)) return undefined;
  const { status, code } = error;
  const meaning = MEANINGS.get(code);
  if (meaning) return meaning;
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  return status === 413 ? "file_too_large" : "refused";
}

/**
 * The same failure as it may be shown and logged: discord.js keeps the address, which holds an interaction's token,
 * and the whole call with people's words in it.
 */
export function presentable(error: unknown): Error {
  if (error instanceof Refused) return error;
  if (error instanceof DiscordAPIError) {
    const { status, code, message } = error;
    return new Refused(status, typeof code === "number" ? code : 0, message);
  }
  if (error instanceof HTTPError && error.status < 500)
    return new Refused(error.status, 0, `Discord answered ${error.status}`);
  if (error instanceof HTTPError) return new NoAnswer(`Discord answered ${error.status}`);
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return new NoAnswer(scrub.text(`${name}: ${message}`));
}
