import type { WhatsappLiberties } from "./liberties.ts";

/** What each code is called, and with which status it is answered: support/error-codes. */
const CODES = {
  2: ["API Service", 503],
  100: ["Invalid parameter", 400],
  190: ["Invalid OAuth access token - Cannot parse access token", 401],
  130429: ["Rate limit hit", 400],
  131000: ["Something went wrong", 500],
  131005: ["Access denied", 403],
  131008: ["Required parameter is missing", 400],
  131009: ["Parameter value is not valid", 400],
  131016: ["Service unavailable", 500],
  131026: ["Message undeliverable", 400],
  131047: ["Re-engagement message", 400],
  131051: ["Unsupported message type", 400],
  131052: ["Media download error", 400],
  131053: ["Media upload error", 400],
  131056: ["(Business Account, Consumer Account) pair rate limit hit", 400],
  132000: ["Number of parameters does not match the expected number of params", 400],
  132001: ["Template name does not exist in the translation", 404],
  132005: ["Translated text too long", 400],
  132012: ["Template format does not match", 400],
  132015: ["Template is paused", 400],
  133010: ["Phone number not registered", 400],
} as const satisfies Record<number, readonly [title: string, status: number]>;

/** A code of WhatsApp's or of the Graph API's. */
export type RefusalCode = keyof typeof CODES;

/** What is too fast, of one person or of all. */
const isFlood = (code: RefusalCode) => code === 130429 || code === 131056;

/** An error of a message as a status tells it. */
export interface ToldError {
  readonly code: number;
  readonly title: string;
  readonly message: string;
  readonly error_data?: { readonly details: string };
  readonly href: string;
}

/** A call that WhatsApp answers with an error, or a message that it tells to have failed. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  /** What the Graph API itself says of an object that is not there. */
  readonly subcode: number | undefined;
  readonly details: string;

  constructor(code: RefusalCode, details: string, subcode?: number) {
    super(`(#${code}) ${CODES[code][0]}: ${details}`);
    this.code = code;
    this.details = details;
    this.subcode = subcode;
  }

  /** The status of the answer. */
  status({ floodStatus }: WhatsappLiberties): number {
    return isFlood(this.code) ? floodStatus : CODES[this.code][1];
  }

  /** The body of the answer. */
  body({ errorBody }: WhatsappLiberties): object {
    const title = CODES[this.code][0];
    const subcode = this.subcode ?? (errorBody === "subcode" ? 2_494_055 : undefined);
    return {
      error: {
        message: this.code < 1000 ? this.details || title : `(#${this.code}) ${title}`,
        type: this.code === 100 && this.subcode === 33 ? "GraphMethodException" : "OAuthException",
        code: this.code,
        ...(errorBody !== "bare" &&
          this.code > 1000 && { error_data: { messaging_product: "whatsapp", details: this.details } }),
        ...(subcode !== undefined && { error_subcode: subcode }),
        fbtrace_id: "AEjJCw-fake-trace",
      },
    };
  }

  /** The same as a status tells it. */
  told({ errorBody }: WhatsappLiberties): ToldError {
    const title = CODES[this.code][0];
    return {
      code: this.code,
      title,
      message: title,
      ...(errorBody !== "bare" && { error_data: { details: this.details } }),
      href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
    };
  }
}

/** The Graph API's answer for an object that is not there, or that nobody may see. */
export const noSuchObject = (id: string): Refusal =>
  new Refusal(
    100,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    33,
  );

export const missing = (what: string): Refusal =>
  new Refusal(131008, `Required parameter is missing: ${what}`);

export const invalid = (what: string): Refusal => new Refusal(131009, what);
