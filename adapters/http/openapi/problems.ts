import { type ErrorCode, ERRORS } from "../../../src/common/errors.ts";
import { sentenceOf } from "../../../src/common/i18n.ts";
import { missingStatement, titleOf } from "../access/problem.ts";
import type { ProblemBody } from "../resources/problem.ts";
import type { RouteFace } from "../route/route.ts";
import { STATUS_OF } from "../access/status.ts";

const ANY_BODY = [
  "body_type",
  "body_type_missing",
  "body_unreadable",
  "body_too_large",
  "body_too_slow",
] as const;
const ANY_FIELD = ["field_required", "field_invalid", "field_too_long", "field_unknown"] as const;

/** Files that can never be sent, as `Intake.examine` tells. */
const UNUSABLE = [
  "media_empty",
  "media_too_large",
  "media_dimensions",
  "media_type",
  "media_unreadable",
  "mask_empty",
  "sound_type",
  "sound_unreadable",
  "sound_too_long",
  "sounds_too_long",
  "url_refused",
  "url_with_password",
] as const;

/** What a route may be refused with because of what it takes. */
const REFUSALS = {
  token: [
    "token_missing",
    "token_invalid",
    "token_expired",
    "origin_refused",
    "test_mode_missing",
    "too_many_requests",
    "too_many_open",
  ],
  scope: ["scope_missing"],
  query: ["field_invalid", "field_too_long", "field_unknown"],
  body: [...ANY_BODY, ...ANY_FIELD],
  streamed: [
    ...ANY_BODY,
    "body_text_too_large",
    "body_too_deep",
    "too_many_files",
    "too_many_parts",
    "unknown_operation",
    ...ANY_FIELD,
    "field_out_of_range",
    "field_count",
    "field_not_file",
    ...UNUSABLE,
  ],
  idempotent: [
    "idempotency_key_missing",
    "idempotency_key_invalid",
    "idempotency_mismatch",
    "idempotency_in_flight",
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** Everything that a route may be refused with, by status code. */
export function problemsOf(route: RouteFace): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...(route.open ? [] : REFUSALS.token),
    ...(route.scope ? REFUSALS.scope : []),
    ...(route.query ? REFUSALS.query : []),
    ...(route.body ? REFUSALS.body : []),
    ...(route.streamed ? REFUSALS.streamed : []),
    ...(route.idempotent ? REFUSALS.idempotent : []),
    ...(route.problems ?? []),
    "version_unknown",
    "internal",
  ]);
  return Map.groupBy(codes, (code) => STATUS_OF[code]);
}

/** A refusal as it would be sent, with names where values would stand. */
export function problemExample(code: ErrorCode): ProblemBody {
  return {
    type: `/v1/docs#${code}`,
    title: titleOf(code),
    status: STATUS_OF[code],
    detail: sentenceOf(`error.${code}`),
    code,
    request_id: "0d5f1c1e-6a52-4b0c-9a53-5f4a0c8f2f6b",
    retryable: ERRORS[code].retryable,
    ...(code === "statement_missing" && missingStatement({ statement: "consent" }, "en")),
  };
}
