import { likelyKeyIn } from "./likely-key.ts";

/**
 * Everything that can go wrong, once: the code, and whether trying again can help.
 * Each code has a sentence under `error.<code>` in every language of `locales/` (a test checks it).
 */
export const ERRORS = {
  // What the service answers (its documentation, section 7).
  bad_request: { retryable: false },
  unauthorized: { retryable: false },
  insufficient_tokens: { retryable: false },
  /** Seen before submitting: `params.missing` tokens are missing. */
  tokens_missing: { retryable: false },
  /** The same for somebody else's tokens, of which no more is told. */
  shared_tokens_missing: { retryable: false },
  subscription_required: { retryable: false },
  /** What the operation is known to need: a Pro or Ultra subscription, or any one for a premium template. */
  pro_required: { retryable: false },
  ultra_required: { retryable: false },
  premium_template: { retryable: false },
  not_found: { retryable: false },
  /** A job that is to be deleted, and that the service may still have. */
  not_deleted: { retryable: true },
  /** The same where the key that a deletion at the service takes is missing or refused. */
  deletion_needs_key: { retryable: false },
  /** Made, but what the service gives in its place is no such file, or not all of it. */
  result_late: { retryable: true },
  result_unchecked: { retryable: true },
  /** It was kept here for a while, and is no more. */
  result_expired: { retryable: false },
  /** It is to be kept here for a while still, and is not where files are kept. */
  result_missing: { retryable: false },
  /** Made, but for long the service gave no whole file. */
  result_gone: { retryable: false },
  /** The service has said for long that it knows nothing of a job that it accepted. */
  job_missing: { retryable: false },
  /** The service accepts the key no more under which jobs run; `params.count` of them wait. */
  key_refused: { retryable: false },
  /** For long nobody connected a key again that a job could be read with. */
  key_lost: { retryable: false },
  rate_limited: { retryable: true },
  no_free_slot: { retryable: true },
  service_error: { retryable: true },
  maintenance: { retryable: true },
  /** One product rests; `params.operation` can be used instead, where there is such. */
  product_resting: { retryable: true },
  network: { retryable: true },
  /** A submission whose answer was lost: it may or may not have been accepted. */
  unsure: { retryable: false },
  /** The job was accepted and ended as FAILED; `params.reason` is the service's own words. */
  job_failed: { retryable: false },
  /** The answer was lost, looking could not tell whether the job exists, and the balance does not speak: see `judge`. */
  lost_track: { retryable: false },
  /** The same, but what it costs is known, and the balance fell by just that: `params.tokens`. */
  lost_charged: { retryable: false },
  /** The same, but what it costs is known, and the balance did not fall by it. */
  lost_uncharged: { retryable: false },
  /** It had not been accepted when a backup was made that the operator went back to; it may have been since. */
  restored: { retryable: false },
  /** It was the built-in sandbox's when Reelay went over to another service. */
  sandbox_left: { retryable: false },
  /** Pressed twice within seconds: the first press counts. */
  already_begun: { retryable: false },
  /** It costs `params.tokens` by now, more than the pressed button said: `params.price`. */
  price_changed: { retryable: false },
  /** The pressed button said a price, which is not known any more: another service makes it now. */
  price_unknown: { retryable: false },
  // What a person gave us.
  field_required: { retryable: false },
  field_invalid: { retryable: false },
  field_out_of_range: { retryable: false },
  field_too_long: { retryable: false },
  /** Too few or too many files in a list. */
  field_count: { retryable: false },
  field_unknown: { retryable: false },
  /** Not in the catalogue that the field draws from. */
  field_unknown_choice: { retryable: false },
  media_unreadable: { retryable: false },
  /** Not a byte came of it. */
  media_empty: { retryable: false },
  media_too_large: { retryable: false },
  /** Too many pixels (`params.megapixels` at most), or too long for its width (`params.aspect` at most). */
  media_dimensions: { retryable: false },
  media_type: { retryable: false },
  media_gone: { retryable: false },
  /** The platform that it was sent on gives no answer, or wants to be left alone for a while. */
  media_unreached: { retryable: true },
  /** Another file is at its address than the one that was examined. */
  media_changed: { retryable: false },
  video_unreadable: { retryable: false },
  /** There is no ffmpeg to look into videos with. */
  no_ffmpeg: { retryable: false },
  sound_unreadable: { retryable: false },
  sound_type: { retryable: false },
  sound_too_long: { retryable: false },
  sounds_too_long: { retryable: false },
  /** Nothing is marked in it. */
  mask_empty: { retryable: false },
  /** Not a marked copy of the picture: another one, or only a part of it. */
  mask_unlike: { retryable: false },
  url_refused: { retryable: false },
  /** An address of a file or a webhook that says who asks. */
  url_with_password: { retryable: false },
  url_failed: { retryable: true },
  not_connected: { retryable: false },
  /** Words of `params.field`, or a name, hold a key. */
  key_in_words: { retryable: false },
  // What the operator's rules say.
  not_invited: { retryable: false },
  /** The operator keeps them, their group or their partner out. */
  blocked: { retryable: false },
  /** Those who moderate a group keep them out of it. */
  blocked_here: { retryable: false },
  /** The operator switched it off: `params.operation`. */
  operation_off: { retryable: false },
  /** A program asks for what takes a declaration (`params.statement`) that its user has not made. */
  statement_missing: { retryable: false },
  /** Sexual, with minors in it: whatever the operator's rules say. */
  minors_refused: { retryable: false },
  /** Sexual, of a photo that was given: likewise. */
  undressing_refused: { retryable: false },
  /** What the operator does not want; `params.line` of their file, where it stands there. */
  words_blocked: { retryable: false },
  /** The operator's patterns could not be looked for in time. */
  words_unread: { retryable: true },
  /** The operator's moderation endpoint flagged it, as `params.categories`: names of `moderation.<name>`. */
  moderation_refused: { retryable: false },
  /** It could not be examined there. */
  moderation_down: { retryable: true },
  /** Mature things where they have no place: where anybody may be, or where only age-restricted places have them. */
  mature_here: { retryable: false },
  mature_picture: { retryable: false },
  /** The operator has none of them anywhere. */
  mature_off: { retryable: false },
  daily_cap: { retryable: false },
  chat_cap: { retryable: false },
  /** The limit of a day is none at all with the key that others pay with. */
  shared_key_off: { retryable: false },
  /** So many jobs of a person, or of their group, are going on already: `params.max`. */
  at_once_cap: { retryable: true },
  chat_at_once_cap: { retryable: true },
  /** So many jobs of a partner are going on as the operator allows: `params.max`; `params.whose` is `partner` or `user`. */
  partner_cap: { retryable: true },
  /** So many were begun in a `day` or a `month` (`params.period`), which ends at `params.until`. */
  partner_period_cap: { retryable: false },
  /** A budget (`params.budget`, in tokens) does not cover what it takes: `params.spent` of it, until `params.until`. */
  budget_spent: { retryable: false },
  /** It covers it, but for what is set aside for jobs whose price is not known yet. */
  budget_reserved: { retryable: true },
  /** The same as `budget_spent` of the budget of the operator's key, whose numbers are nobody else's business. */
  shared_budget_spent: { retryable: false },
  // What a group's managers set, and that only they may.
  room_not_allowed: { retryable: false },
  operation_not_allowed: { retryable: false },
  not_in_group: { retryable: false },
  not_manager: { retryable: false },
  // What becomes of results that people report.
  /** It was taken down: nothing more is made of it. */
  result_withheld: { retryable: false },
  /** Only whoever runs Reelay, or moderates the group, may decide about reports. */
  not_operator: { retryable: false },
  /** Whoever runs Reelay decided about it: those who moderate its group decide nothing else. */
  operator_decided: { retryable: false },
  /** One person reported `params.max` results within a day. */
  too_many_reports: { retryable: true },
  unknown_command: { retryable: false },
  /** `params.wanted`: the name that was probably meant, or all there are. */
  unknown_operation: { retryable: false },
  stale_button: { retryable: false },
  not_yours: { retryable: false },
  job_busy: { retryable: false },
  /** Too late to cancel. */
  job_started: { retryable: false },
  jobs_open: { retryable: false },
  // What only a program can be told: about its token and its requests.
  token_missing: { retryable: false },
  /** Unknown or revoked. */
  token_invalid: { retryable: false },
  token_expired: { retryable: false },
  /** As many of a partner's requests are open as may be: `params.max`. */
  /** One of a partner's people, `params.name`: the partner keeps them out, or whoever runs Reelay does. */
  user_blocked: { retryable: false },
  too_many_open: { retryable: true },
  scope_missing: { retryable: false },
  /** A browser's page from elsewhere. */
  origin_refused: { retryable: false },
  too_many_requests: { retryable: true },
  /** A version of `/v1` that is not spoken here; `params.version` is. */
  version_unknown: { retryable: false },
  /** A test token, where the database may be several machines': each would have a sandbox of its own. */
  test_mode_missing: { retryable: false },
  route_unknown: { retryable: false },
  method_unknown: { retryable: false },
  // What an operator can be told about partners.
  /** A page of ours was not made from its sources. */
  page_unbuilt: { retryable: true },
  partner_exists: { retryable: false },
  /** So many jobs (`params.count`) of a partner (`params.name`) are going on. */
  partner_jobs_open: { retryable: false },
  partner_unknown: { retryable: false },
  /** No id can be made of it. */
  partner_name: { retryable: false },
  token_unknown: { retryable: false },
  /** `params.who` is nobody's id. */
  not_a_person: { retryable: false },
  // What those who run Reelay can be told about the keys that pay for those who have connected none.
  /** No key can be called that. */
  key_name: { retryable: false },
  key_name_taken: { retryable: false },
  /** It is there already, as `params.name`. */
  key_in_pool: { retryable: false },
  /** A key of the same account is there already, as `params.name`. */
  key_same_account: { retryable: false },
  key_unknown: { retryable: false },
  /** It is not stored: it stands in the setting `params.name`. */
  key_of_environment: { retryable: false },
  /** There is only the sandbox. */
  key_no_service: { retryable: false },
  // What those who run Reelay can be told about each other.
  operator_unknown: { retryable: false },
  /** Not a name of `params.max` characters at most. */
  operator_name: { retryable: false },
  operator_name_taken: { retryable: false },
  /** A link was used, replaced, is too old, or was never made. */
  link_over: { retryable: false },
  /** Somebody else changed what a form is about since it was shown: nothing of it was done. */
  changed_meanwhile: { retryable: false },
  /** Not with the role that they have. */
  role_may_not: { retryable: false },
  /** Whoever has the terminal stays an owner. */
  terminal_owner: { retryable: false },
  /** The page asks nobody who they are. */
  no_login: { retryable: false },
  // What a partner can be told about webhooks.
  webhook_url_refused: { retryable: false },
  /** There are `params.max` already. */
  too_many_webhooks: { retryable: false },
  webhook_disabled: { retryable: false },
  // What a request of a partner may be: its body,
  body_too_large: { retryable: false },
  /** What is left of it without its files. */
  body_text_too_large: { retryable: false },
  body_too_deep: { retryable: false },
  /** Nothing came for `params.idle` seconds, or not all of it within `params.whole`. */
  body_too_slow: { retryable: true },
  body_type: { retryable: false },
  body_type_missing: { retryable: false },
  /** Neither JSON nor a form, from byte `params.at` on. */
  body_unreadable: { retryable: false },
  too_many_files: { retryable: false },
  too_many_parts: { retryable: false },
  /** Neither base64 nor an address. */
  field_not_file: { retryable: false },
  // and what makes its repetitions harmless.
  idempotency_key_missing: { retryable: false },
  idempotency_key_invalid: { retryable: false },
  idempotency_mismatch: { retryable: false },
  idempotency_in_flight: { retryable: true },
  // What is ours.
  /** The database cannot keep what is to be kept: nothing is begun. */
  storage_down: { retryable: true },
  /** The built-in sandbox's: `params.path`, in the folder `params.folder`, which may be removed. */
  sandbox_damaged: { retryable: false },
  undeliverable: { retryable: true },
  /** What was asked for in somebody's chat cannot be posted there. */
  chat_closed: { retryable: true },
  /** Whoever manages a group does not let the bot do there what it needs: `params.permission`, as the platform names it. */
  permission_missing: { retryable: false },
  group_right_missing: { retryable: false },
  /** Those who manage a group cannot be told there what is reported in it; `log_permission_missing`: for want of `params.permission`. */
  log_unreachable: { retryable: false },
  log_permission_missing: { retryable: false },
  /** A platform did not take an answer, though it may take others there. */
  not_posted: { retryable: true },
  key_unreadable: { retryable: false },
  internal: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

/** The code of an error, stable for partners and for `locales/`. */
export type ErrorCode = keyof typeof ERRORS;

/** Values that a sentence is filled with. */
export type Params = Readonly<Record<string, string | number>>;

/** The one error that carries a meaning for a person: a code for the sentence and what fills it. */
export class ReelayError extends Error {
  override readonly name: string = "ReelayError";
  readonly code: ErrorCode;
  readonly params: Params;

  /**
   * @param code what happened
   * @param params what fills the sentence; never a picture or a person's words, and nothing that may be a key stays in it
   * @param options the error underneath, if there was one
   */
  constructor(code: ErrorCode, params: Params = {}, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.params = repeatableParams(params);
  }

  /** Whether the same attempt may succeed later without anyone changing anything. */
  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }
}

/** The error as a {@link ReelayError}: itself, or `internal` around whatever else was thrown. */
export function asReelayError(error: unknown): ReelayError {
  return error instanceof ReelayError ? error : new ReelayError("internal", {}, { cause: error });
}

/** A path is guessed at name by name: together, those of temporary folders look like keys. */
const PATH = /^["'“]?(?:~|\.{0,2})\//;

/** What lets somebody in at an address, before its host. */
const CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;

/**
 * What somebody gave, as it may be said again in a sentence, an answer or a log: whoever puts a key in the wrong place is
 * not shown it, and nobody else either. Guessed by its looks alone, before anything of theirs is known. Nor is it shown what an address
 * has before its host.
 */
export function repeatable(given: string): string {
  // Half a character would keep strict readers of JSON from the whole answer.
  return given
    .toWellFormed()
    .replaceAll(CREDENTIALS, "$1…@")
    .replaceAll(/\S+/g, (token) =>
      PATH.test(token) ? token.split("/").map(withoutKey).join("/") : withoutKey(token),
    );
}

const withoutKey = (token: string) => (likelyKeyIn(token) === undefined ? token : "…");

/** The service's own words, which hold what only its support can read; keys are gone from them when they come. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(["reason", "message"]);

/** Ids that Reelay gives itself, and nobody else: they look like keys, and are what one goes on with. */
const OWN_IDS: ReadonlySet<string> = new Set(["job"]);

/** What fills a sentence, each as far as it may be said again. */
export function repeatableParams(params: Params): Params {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "number" || OF_THE_SERVICE.has(name) || OWN_IDS.has(name) ? value : repeatable(value),
  ]);
  return Object.fromEntries(said) as Params;
}
