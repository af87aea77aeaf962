import type { ErrorCode } from "../../../src/errors.ts";

/** A status code of a refusal. */
export type ProblemStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 408
  | 409
  | 410
  | 413
  | 415
  | 422
  | 429
  | 500
  | 502
  | 503;

/**
 * What a code means in HTTP. What a partner can mend in the request is 4xx; what they cannot, 5xx. A refusal by the
 * service is none of ours: 402 and 403 are about the account at the service, 502 and 503 about the service itself.
 */
export const STATUS_OF: Readonly<Record<ErrorCode, ProblemStatus>> = {
  bad_request: 422,
  unauthorized: 403,
  insufficient_tokens: 402,
  tokens_missing: 402,
  shared_tokens_missing: 402,
  subscription_required: 403,
  pro_required: 403,
  ultra_required: 403,
  premium_template: 403,
  not_found: 404,
  result_gone: 410,
  rate_limited: 503,
  no_free_slot: 503,
  service_error: 502,
  maintenance: 503,
  product_resting: 503,
  network: 502,
  unsure: 502,
  job_failed: 502,
  lost_track: 502,
  field_required: 422,
  field_invalid: 422,
  field_out_of_range: 422,
  field_too_long: 422,
  field_count: 422,
  field_unknown: 422,
  field_unknown_choice: 422,
  media_unreadable: 422,
  media_too_large: 413,
  media_type: 422,
  media_gone: 410,
  sound_unreadable: 422,
  sound_type: 422,
  sound_too_long: 422,
  sounds_too_long: 422,
  mask_empty: 422,
  mask_unlike: 422,
  url_refused: 422,
  url_failed: 422,
  not_connected: 403,
  not_invited: 403,
  statement_missing: 403,
  minors_refused: 403,
  undressing_refused: 403,
  words_blocked: 403,
  moderation_refused: 403,
  moderation_down: 503,
  mature_here: 403,
  daily_cap: 429,
  chat_cap: 429,
  room_not_allowed: 403,
  operation_not_allowed: 403,
  not_in_group: 403,
  not_manager: 403,
  unknown_command: 404,
  stale_button: 410,
  not_yours: 403,
  job_busy: 409,
  job_started: 409,
  jobs_open: 409,
  webhook_url_refused: 422,
  too_many_webhooks: 409,
  webhook_disabled: 409,
  partner_cap: 429,
  partner_exists: 409,
  partner_name: 422,
  partner_unknown: 404,
  token_unknown: 404,
  undeliverable: 502,
  key_unreadable: 500,
  internal: 500,
  token_missing: 401,
  token_invalid: 401,
  scope_missing: 403,
  origin_refused: 403,
  too_many_requests: 429,
  route_unknown: 404,
  method_unknown: 405,
  body_too_large: 413,
  body_text_too_large: 413,
  body_too_deep: 400,
  body_too_slow: 408,
  body_type: 415,
  body_unreadable: 400,
  too_many_files: 422,
  too_many_parts: 422,
  field_not_file: 422,
  idempotency_key_missing: 400,
  idempotency_key_invalid: 400,
  idempotency_mismatch: 422,
  idempotency_in_flight: 409,
};
