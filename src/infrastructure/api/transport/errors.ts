import { type ErrorCode, ReelayError } from "../../../common/errors.ts";

/** What is known of a request that failed. */
export interface CallFailure {
  /** The HTTP status; undefined where there was no answer. */
  readonly status?: number | undefined;
  /** The service's `x-request-id`, else the one that was sent. */
  readonly requestId?: string | undefined;
  /** How long the service asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The service's own words, scrubbed. */
  readonly message?: string | undefined;
  /** Whether it is the service's own answer rather than that of something between; left out where nobody can tell. */
  readonly byService?: boolean | undefined;
  readonly cause?: unknown;
}

/** A request to the service that failed. It holds neither the key nor what was sent. */
export abstract class ApiError extends ReelayError {
  // The class says what happened, so that a log line needs no table.
  override readonly name: string = this.constructor.name;
  /** Whether sending the same request again cannot be charged twice. */
  readonly safeToRepeat: boolean = true;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly byService: boolean | undefined;
  /** Of a file: where it was asked for, for a log. Its whole address may hold secrets. */
  host: string | undefined;

  constructor(code: ErrorCode, failure: CallFailure) {
    const { status, requestId, retryAfterMs, message, byService, cause } = failure;
    super(code, message ? { message } : {}, cause === undefined ? {} : { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.byService = byService;
  }
}

/** One meaning of a failure (section 7); its code makes it a type of its own. */
type Meaning<C extends ErrorCode> = abstract new (failure?: CallFailure) => ApiError & { readonly code: C };

const meaning = <C extends ErrorCode>(code: C): Meaning<C> =>
  class extends ApiError {
    declare readonly code: C;
    constructor(failure: CallFailure = {}) {
      super(code, failure);
    }
  };

/** 400, and every other refusal of the request itself. */
export class BadRequest extends meaning("bad_request") {}
/** 401: the key is missing, wrong or deleted. */
export class Unauthorized extends meaning("unauthorized") {}
/** 402: the balance does not cover the cost. */
export class InsufficientTokens extends meaning("insufficient_tokens") {}
/** 403: the account's tier does not include this. */
export class SubscriptionRequired extends meaning("subscription_required") {}
/** 404, and a result that is no longer kept. */
export class NotFound extends meaning("not_found") {}
/** 429: too many requests in the window. */
export class RateLimited extends meaning("rate_limited") {}
/** 429: every concurrent job slot of this key is taken. */
export class NoFreeSlot extends meaning("no_free_slot") {}
/** 500, or an answer that is not the service's or cannot be understood, to a request that costs nothing. */
export class ServiceFailure extends meaning("service_error") {}
/** 503 in the service's own words: it, or one of its products, is resting. */
export class Maintenance extends meaning("maintenance") {}
/** Nothing reached the service, or the answer to a request that costs nothing was lost. */
export class Network extends meaning("network") {}
/** A submission that was sent and whose answer was lost, unreadable or not the service's: it may have been accepted and charged. */
export class Unsure extends meaning("unsure") {
  override readonly safeToRepeat = false;
}

/** The error for an answer that got lost: only what costs tokens leaves it unsure whether it was accepted. */
export function lost(paid: boolean, failure: CallFailure): ApiError {
  return paid ? new Unsure(failure) : new Network(failure);
}
