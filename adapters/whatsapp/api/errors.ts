import { meaningsOf } from "../../kit/files/meanings.ts";
import { type Hindrance, HINDRANCES } from "../../kit/results/arrivals.ts";

/**
 * What an answer that is no success comes to, whether it is the answer to a call or what is told of a message later:
 * - `window`: the person wrote too long ago
 * - `unreachable`: nothing can be posted to them
 * - `pair`: too fast for one person; `throughput`: too fast for all together
 * - `token`: the token is none any more, or lacks a right
 * - `refused`: not like that; `gone`: there is no such thing
 * - `down`: the platform's own failure, which passes
 */
export type Meaning = keyof typeof CODES | "refused";

/**
 * The codes that mean something of their own
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes).
 */
const CODES = {
  window: [131_047],
  // Of the last two: not on the list of a test number, and who wants no messages of businesses.
  unreachable: [131_026, 131_030, 131_050],
  pair: [131_056],
  throughput: [130_429, 131_048, 4, 80_007],
  token: [190, 0, 3, 10, 200, 368, 131_005, 131_031],
  gone: [33, 131_052],
  down: [1, 2, 131_000, 131_016, 131_057, 133_004],
} as const;

const MEANINGS = meaningsOf<Meaning>(CODES);

/** What a code means; what is unknown is a refusal of what was sent. */
const meaningOfCode = (code: number): Meaning => MEANINGS.get(code) ?? "refused";

/** What keeps a message from arriving, by the code that is told of it. */
export const hindranceOfCode = (code: number): Hindrance =>
  HINDRANCES.find((one) => one === meaningOfCode(code)) ?? "down";

/** WhatsApp did not take something, or could not bring it. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly code: number;
  readonly meaning: Meaning;

  constructor(message: string, code: number, meaning = meaningOfCode(code)) {
    super(`WhatsApp (${code}): ${message}`);
    this.code = code;
    this.meaning = meaning;
  }
}

/** What a failure of WhatsApp's means; undefined for what is not WhatsApp's. */
export const meaningOf = (error: unknown): Meaning | undefined =>
  error instanceof CloudError ? error.meaning : undefined;

/** Whether nothing was posted then: its own trouble says nothing of that, and nowhere is it said that none was sent. */
export const isAnswer = (error: unknown) => error instanceof CloudError && error.meaning !== "down";
