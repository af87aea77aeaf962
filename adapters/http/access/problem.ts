import type { Problem } from "../../../src/seam/views.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { sayToProgram } from "../../../src/seam/text/say.ts";
import type { Json } from "../../../src/common/json.ts";
import {
  type ErrorCode,
  ERRORS,
  type Params,
  ReelayError,
  repeatable,
  repeatableParams,
} from "../../../src/common/errors.ts";
import { type Locale, translator, withoutSent } from "../../../src/common/i18n.ts";
import { exampleOf } from "../resources/field-example.ts";
import { CURSOR_WANTED, statementName } from "../route/requests.ts";
import type { FieldProblemBody, ProblemBody } from "../resources/problem.ts";
import { STATUS_OF } from "./status.ts";

/** What is known of a field that is wrong. */
export interface WrongField {
  /** Where it stands in the request. */
  readonly field: string;
  readonly code: ErrorCode;
  readonly params: Params;
  readonly choices?: readonly (string | number)[];
  readonly example?: Json | undefined;
}

/** The most fields that one answer tells of: whoever sends thousands of wrong ones is not answered with thousands. */
const MOST_TOLD = 50;

/** A request in which several fields may be wrong: the first one speaks for all. */
export class WrongFields extends ReelayError {
  readonly fields: readonly WrongField[];

  constructor(fields: readonly WrongField[]) {
    const [first] = fields;
    super(first?.code ?? "bad_request", first?.params);
    this.fields = fields.slice(0, MOST_TOLD).map(told);
  }
}

function told({ field, code, params, choices, example }: WrongField): WrongField {
  const given = { field: repeatable(field), code, params: repeatableParams(params), example };
  return choices ? { ...given, choices } : given;
}

/** The refusal of a cursor that leads nowhere, or no more. @param more what to do instead */
export function wrongCursor(more = ""): WrongFields {
  const field = "query.cursor";
  return new WrongFields([{ field, code: "field_invalid", params: { field, wanted: CURSOR_WANTED + more } }]);
}

/** What is wrong with a field of an operation's input, as it stands in a request. */
export function wrongInput({ code, params, field = "" }: Problem, specs: readonly FieldSpec[]): WrongField {
  const spec = specs.find(({ name }) => name === field);
  const choices = spec?.choices?.map(({ value }) => value);
  const at = field ? `input.${field}` : "input";
  return {
    field: at,
    code,
    // People read a field's label; programs know it by its name.
    params: { ...params, [code === "field_unknown" ? "name" : "field"]: at },
    ...(choices && { choices }),
    ...(spec && { example: exampleOf(spec) }),
  };
}

/**
 * A refusal, as it is sent under the status of `STATUS_OF`.
 * @param isRead whether nothing was to be sent: then that nothing was goes without saying
 */
export function problemBody(
  error: ReelayError,
  request: string,
  locale: Locale,
  isRead = false,
): ProblemBody {
  const { code, params } = error;
  const fields = fieldsOf(error);
  const say = (problem: Pick<Problem, "code" | "params">) => sentence(problem, locale, isRead);
  return {
    type: `/v1/docs#${code}`,
    title: titleOf(code),
    status: STATUS_OF[code],
    // Of several fields the first speaks for all; programs know it by its place.
    detail: say(fields[0] ?? error),
    code,
    request_id: request,
    retryable: ERRORS[code].retryable,
    ...(fields.length > 0 && { errors: fields.map((field) => fieldBody(field, say(field))) }),
    ...(code === "statement_missing" && missingStatement(params, locale)),
    ...endOf(params),
  };
}

/** When a period ends in which nothing more can be begun. */
function endOf({ until }: Params): Pick<ProblemBody, "ends_at"> {
  return typeof until === "number" ? { ends_at: new Date(until).toISOString() } : {};
}

/** A code as a title: the same for every occurrence, as RFC 9457 asks for. */
export function titleOf(code: ErrorCode): string {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields that are wrong, where it is fields. */
export function fieldsOf(error: ReelayError): readonly WrongField[] {
  if (error instanceof WrongFields) return error.fields;
  const { code, params } = error;
  const { field } = params;
  if (typeof field !== "string") return [];
  const at = `input.${field}`;
  return [{ field: at, code, params: { ...params, field: at } }];
}

/** What is to be shown to whoever must state it, and what is to be sent once they did. */
export function missingStatement({ statement, terms }: Params, locale: Locale): Partial<ProblemBody> {
  const name = statementName.parse(statement);
  return {
    statement: name,
    text: translator(locale)(`statement.${name}`),
    ...(terms !== undefined && { terms_url: String(terms) }),
    agreed: [name],
  };
}

function fieldBody({ field, code, params, choices, example }: WrongField, detail: string): FieldProblemBody {
  const { min, max } = params;
  return {
    field,
    code,
    detail,
    ...(typeof min === "number" && { min }),
    ...(typeof max === "number" && { max }),
    ...(choices && { choices: [...choices] }),
    ...(example !== undefined && { example }),
  };
}

function sentence(problem: Pick<Problem, "code" | "params">, locale: Locale, isRead: boolean): string {
  const say = translator(locale);
  return sayToProgram(isRead ? withoutSent(say) : say, problem);
}
