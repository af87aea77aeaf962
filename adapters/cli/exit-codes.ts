import type { ErrorCode } from "../../src/errors.ts";

/** How a call ended, for scripts; each is explained under `cli.exit.<code>` in `reelay --help`. */
export const EXIT = {
  ok: 0,
  /** A mistake of ours, or the doctor found something. */
  failed: 1,
  /** A flag or a value was refused; nothing was sent. */
  refused: 2,
  /** The service refused, or could not be reached. */
  service: 3,
  /** The service accepted the job and could not make it, or its answer was lost. */
  job: 4,
  /** Made and paid for, but not saved. */
  unsaved: 5,
  /** EX_CONFIG of sysexits.h. */
  settings: 78,
  /** What shells report after Ctrl-C: 128 and the signal's number. */
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const { failed, refused, service, job, unsaved } = EXIT;

/** The exit code of each failure. */
export const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  bad_request: service,
  unauthorized: service,
  insufficient_tokens: service,
  tokens_missing: refused,
  shared_tokens_missing: refused,
  subscription_required: service,
  pro_required: service,
  ultra_required: service,
  premium_template: service,
  not_found: service,
  result_gone: unsaved,
  rate_limited: service,
  no_free_slot: service,
  service_error: service,
  maintenance: service,
  product_resting: service,
  network: service,
  unsure: job,
  job_failed: job,
  lost_track: job,
  field_required: refused,
  field_invalid: refused,
  field_out_of_range: refused,
  field_too_long: refused,
  field_count: refused,
  field_unknown: refused,
  field_unknown_choice: refused,
  media_unreadable: refused,
  media_too_large: refused,
  media_type: refused,
  media_gone: refused,
  sound_unreadable: refused,
  sound_type: refused,
  sound_too_long: refused,
  sounds_too_long: refused,
  mask_empty: refused,
  mask_unlike: refused,
  url_refused: refused,
  url_failed: refused,
  not_connected: refused,
  statement_missing: refused,
  not_invited: refused,
  words_blocked: refused,
  mature_here: refused,
  daily_cap: refused,
  chat_cap: refused,
  partner_daily_cap: refused,
  partner_monthly_cap: refused,
  partner_at_once_cap: refused,
  user_daily_cap: refused,
  user_monthly_cap: refused,
  user_at_once_cap: refused,
  room_not_allowed: refused,
  operation_not_allowed: refused,
  not_in_group: refused,
  not_manager: refused,
  unknown_command: refused,
  stale_button: refused,
  not_yours: refused,
  job_busy: refused,
  job_started: refused,
  jobs_open: refused,
  partner_exists: refused,
  partner_unknown: refused,
  partner_name: refused,
  token_unknown: refused,
  token_missing: refused,
  token_invalid: refused,
  scope_missing: refused,
  too_many_requests: refused,
  route_unknown: refused,
  method_unknown: refused,
  json_invalid: refused,
  undeliverable: unsaved,
  key_unreadable: failed,
  internal: failed,
};
