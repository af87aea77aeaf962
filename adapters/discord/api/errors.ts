import { DiscordAPIError, HTTPError, RESTJSONErrorCodes as Code } from "discord.js";
import { scrub } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { meaningsOf } from "../../kit/files/meanings.ts";

/** Discord's own numbers (topics/opcodes-and-status-codes, "JSON Error Codes") by what they mean. */
const CODES = {
  /** It was answered too late, or never existed. */
  unknown_interaction: [Code.UnknownInteraction],
  /** It has its first answer. */
  already_answered: [Code.InteractionHasAlreadyBeenAcknowledged],
  /**
   * No more can be said in it: fifteen minutes have passed, the app was removed, or, where it is only somebody's own app,
   * five further messages were sent.
   */
  token_dead: [
    Code.InvalidWebhookToken,
    Code.UnknownWebhook,
    Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages,
  ],
  /** Deleted, or never seen by the bot. */
  message_gone: [Code.UnknownMessage],
  channel_gone: [Code.UnknownChannel, Code.UnknownGuild],
  /** The bot may not do so there. */
  forbidden: [Code.MissingAccess, Code.MissingPermissions],
  /** The person takes no direct messages. */
  cannot_dm: [Code.CannotSendMessagesToThisUser, Code.UnknownUser, Code.InvalidRecipients],
  /** Of a file or of the whole request. */
  file_too_large: [Code.RequestEntityTooLarge],
} as const satisfies Readonly<Record<string, readonly Code[]>>;

/**
 * What a failure of Discord's API means: one of the above, or
 * - `unauthorized`: the bot's token is wrong
 * - `down`: Discord or the way there fails; whether the call was carried out is not known
 * - `refused`: whatever else Discord does not take
 */
export type Meaning = keyof typeof CODES | "unauthorized" | "down" | "refused";

const MEANINGS = meaningsOf<Meaning>(CODES);

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
function presentable(error: unknown): Error {
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

/** What a call by discord.js gives. @throws {@link Refused}, or what means `down` */
export function presentably<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw presentable(error);
  });
}
