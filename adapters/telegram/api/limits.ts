import type { ThrottlerLimits } from "../../kit/throttle/throttler.ts";

/**
 * What Telegram takes, from the Bot API's documentation (https://core.telegram.org/bots/api) and its FAQ
 * (https://core.telegram.org/bots/faq). Lengths are in characters after the parsing of entities, sizes in bytes.
 */
export const TELEGRAM = {
  text: 4096,
  caption: 1024,
  /** Bytes of UTF-8. */
  callbackData: 64,
  callbackAnswer: 200,
  /** Buttons that fit beside each other and can still be read on a phone. */
  buttonsInRow: 2,
  download: 20 * 2 ** 20,
  upload: 50 * 2 ** 20,
  /** Of a local Bot API server, up and down. */
  local: 2000 * 2 ** 20,
  photo: 10 * 2 ** 20,
  /** Of a photo: width and height together, in pixels, and how often one may go into the other. */
  photoSides: 10_000,
  photoRatio: 20,
  thumbnail: { bytes: 200_000, side: 320 },
  inlineResults: 50,
  commands: { count: 100, name: 32, description: 256 },
  botName: 64,
  /** Messages a second: in one chat, and altogether. */
  perChatMs: 1_000,
  /** Messages in one chat that may follow each other at once: "short bursts" go over the rate (FAQ). */
  burst: 3,
  perSecond: 30,
  perMinuteInGroup: 20,
  /** Between attempts while it does not answer, in milliseconds. */
  pausesMs: [500, 1_000, 2_000, 4_000, 8_000] as readonly number[],
} as const;

/**
 * How fast messages may follow each other (FAQ, "My bot is hitting limits"), and the pauses between attempts while Telegram does not
 * answer, in milliseconds, where those are others.
 */
export type PaceLimits = Readonly<Record<"burst" | "perChatMs" | "perSecond" | "perMinuteInGroup", number>> &
  Partial<Pick<typeof TELEGRAM, "pausesMs">>;

/**
 * The same for the throttler. Groups have negative ids.
 * @param spentAt until when a bot of before may have used up a chat's burst: one that was killed and is back within a
 * second would else be refused there. See `Rate`
 */
export const throttlerLimits = (limits: PaceLimits, spentAt?: number): ThrottlerLimits => ({
  overall: { most: limits.perSecond, ms: 1_000 },
  inChat: (chat) => [
    // Nothing overtakes another there.
    { most: 1, ms: 0 },
    { most: limits.burst, ms: limits.burst * limits.perChatMs, ...(spentAt !== undefined && { spentAt }) },
    ...(Number(chat) < 0 ? [{ most: limits.perMinuteInGroup, ms: 60_000 }] : []),
  ],
});

/** Whether Telegram opens an address as a Mini App: an https one (API, WebAppInfo). */
export const takesMiniApp = (address: string) => address.startsWith("https:");
