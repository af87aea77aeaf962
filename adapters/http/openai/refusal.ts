import type { Context } from "hono";
import type { Access } from "../access/access.ts";
import { fieldsOf, type WrongField, WrongFields } from "../access/problem.ts";
import type { ProblemStatus } from "../access/status.ts";
import { ReelayError } from "../../../src/common/errors.ts";

/** Says whether to try again: OpenAI's clients do what it says, and would else repeat whatever is a 409, a 429 or a 5xx. */
export const SHOULD_RETRY = "x-should-retry";

/** What OpenAI calls kinds of errors, by status; whatever else is wrong with a request is `invalid_request_error`. */
const TYPES: Readonly<Partial<Record<ProblemStatus, string>>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

/** Says what is wrong with a request as OpenAI does: the sentence, the code and the field are those of `/v1`. */
export async function refuseAsOpenAi(access: Access, c: Context, thrown: unknown): Promise<Response> {
  const { body: told, status } = await access.refusal(c, inTheirWords(thrown));
  const { detail, code, errors, retryable, statement, text, terms_url, agreed } = told;
  if (!c.res.headers.has(SHOULD_RETRY)) c.header(SHOULD_RETRY, String(retryable));
  const body = {
    message: detail,
    type: TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"),
    param: errors?.[0]?.field ?? PARAM_OF.get(code) ?? null,
    code,
    ...(statement && { statement, text, ...(terms_url && { terms_url }), agreed }),
  };
  // Its programs know a field that is wrong by a 400.
  return c.json({ error: body }, status === 422 ? 400 : status);
}

/** The field that a code without one is about. */
const PARAM_OF: ReadonlyMap<string, string> = new Map([
  ["unknown_operation", "model"],
  ["operation_off", "model"],
  ["statement_missing", "agreed"],
]);

/** A field that cannot be taken as it is. */
export function unfit(field: string, wanted: string): WrongField {
  return { field, code: "field_invalid", params: { field, wanted } };
}

/** A field that there is not. */
export function unknown(field: string): WrongField {
  return { field, code: "field_unknown", params: { name: field } };
}

/**
 * The same refusal, with the names of fields that the request had.
 * @param names by the names that the operation has for them
 */
export function inTheirWords(thrown: unknown, names: ReadonlyMap<string, string> = new Map()): unknown {
  const fields = thrown instanceof ReelayError ? fieldsOf(thrown) : [];
  if (fields.length === 0) return thrown;
  return new WrongFields(fields.map((one) => renamed(one, names)));
}

function renamed(one: WrongField, names: ReadonlyMap<string, string>): WrongField {
  const own = one.field.replace(/^(?:input|query)\./, "");
  const field = names.get(own) ?? own;
  const params = { ...one.params, [one.code === "field_unknown" ? "name" : "field"]: field };
  return { ...one, field, params };
}
