import { RESTJSONErrorCodes } from "discord.js";

/** A call that Discord answers with an error. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: number;
  /** For an invalid form: which field is wrong in what way, as a tree. */
  readonly errors: object | undefined;
  /** For 429: how many real seconds to wait, and whether every route must. */
  readonly rateLimit: { readonly seconds: number; readonly global: boolean } | undefined;

  constructor(
    status: number,
    code: number,
    message: string,
    more: { readonly errors?: object; readonly rateLimit?: Refusal["rateLimit"] } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.rateLimit = more.rateLimit;
  }

  /** The body of the answer. */
  toJSON(): object {
    return {
      message: this.message,
      code: this.code,
      ...(this.errors && { errors: this.errors }),
      ...(this.rateLimit && { retry_after: this.rateLimit.seconds, global: this.rateLimit.global }),
    };
  }
}

const notFound = (code: number, what: string) => new Refusal(404, code, `Unknown ${what}`);
const forbidden = (code: number, message: string) => new Refusal(403, code, message);

export const unknownRoute = (): Refusal => new Refusal(404, 0, "404: Not Found");
export const unauthorized = (): Refusal => new Refusal(401, 0, "401: Unauthorized");
export const internalError = (): Refusal => new Refusal(500, 0, "500: Internal Server Error");
export const unknownChannel = (): Refusal => notFound(RESTJSONErrorCodes.UnknownChannel, "Channel");
export const unknownGuild = (): Refusal => notFound(RESTJSONErrorCodes.UnknownGuild, "Guild");
export const unknownMember = (): Refusal => notFound(RESTJSONErrorCodes.UnknownMember, "Member");
export const unknownMessage = (): Refusal => notFound(RESTJSONErrorCodes.UnknownMessage, "Message");
export const unknownUser = (): Refusal => notFound(RESTJSONErrorCodes.UnknownUser, "User");
export const unknownWebhook = (): Refusal => notFound(RESTJSONErrorCodes.UnknownWebhook, "Webhook");
export const unknownInteraction = (): Refusal =>
  notFound(RESTJSONErrorCodes.UnknownInteraction, "interaction");
export const missingAccess = (): Refusal => forbidden(RESTJSONErrorCodes.MissingAccess, "Missing Access");
export const missingPermissions = (): Refusal =>
  forbidden(RESTJSONErrorCodes.MissingPermissions, "Missing Permissions");
export const cannotSendToUser = (): Refusal =>
  forbidden(RESTJSONErrorCodes.CannotSendMessagesToThisUser, "Cannot send messages to this user");
export const cannotEditOthers = (): Refusal =>
  forbidden(
    RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
    "Cannot edit a message authored by another user",
  );
export const alreadyAcknowledged = (): Refusal =>
  new Refusal(
    400,
    RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
    "Interaction has already been acknowledged.",
  );
export const tooManyFollowUps = (): Refusal =>
  new Refusal(
    400,
    RESTJSONErrorCodes.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages,
    "This interaction has hit the maximum number of follow-up messages.",
  );
export const tokenExpired = (): Refusal =>
  new Refusal(401, RESTJSONErrorCodes.InvalidWebhookToken, "Invalid Webhook Token");
export const emptyMessage = (): Refusal =>
  new Refusal(400, RESTJSONErrorCodes.CannotSendAnEmptyMessage, "Cannot send an empty message");
export const tooLarge = (): Refusal =>
  new Refusal(413, RESTJSONErrorCodes.RequestEntityTooLarge, "Request entity too large");

/** @param seconds real ones, with fractions, as Discord tells them */
export function rateLimited(seconds: number, global: boolean): Refusal {
  const message = global ? "You are being rate limited globally." : "You are being rate limited.";
  return new Refusal(429, 0, message, { rateLimit: { seconds, global } });
}
