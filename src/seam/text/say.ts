import type { Params } from "../../common/errors.ts";
import { hasMessage, type MessageKey, type Translate } from "../../common/i18n.ts";
import type { Message, Problem } from "../views.ts";

/** Parameters that are names of ours: said as people read them. */
const NAMED = {
  field: "field",
  operation: "operation",
  operations: "operation",
  instead: "operation",
  state: "state",
  period: "period",
  during: "during",
  whose: "whose",
  categories: "moderation",
  statement: "stated",
  surface: "platform",
} as const;

/** Between several names in one parameter. */
const LIST = ", ";

/** A message in the person's language. */
export function say(translate: Translate, { key, params = {} }: Message): string {
  // A field may have another name on the form that it is on.
  const shown = "called" in params ? { ...params, field: params["called"] ?? "" } : params;
  return translate(key, named(translate, shown));
}

/** A failure as a sentence. */
export function sayProblem(translate: Translate, { code, params }: Problem): string {
  return say(translate, { key: `error.${code}`, params });
}

/** The same to a program, which knows a field by the name that it has in the request. */
export function sayToProgram(translate: Translate, { code, params }: Problem): string {
  const { field } = params;
  return translate(`error.${code}`, { ...named(translate, params), ...(field !== undefined && { field }) });
}

/** Parameters as people read them. */
function named(translate: Translate, params: Params): Params {
  const said = Object.entries(params).map(([name, value]) => [name, nameOf(translate, name, value, params)]);
  return Object.fromEntries(said) as Params;
}

function nameOf(translate: Translate, name: string, value: string | number, params: Params): string | number {
  // It is a sentence's own key, because choices stand there, too, which may be called anything.
  if (name === "wanted" && String(value).startsWith("wanted.") && hasMessage(String(value)))
    return translate(value as MessageKey, params);
  if (!(name in NAMED)) return value;
  const called = String(value)
    .split(LIST)
    .map((one) => {
      const key = `${NAMED[name as keyof typeof NAMED]}.${one}`;
      return hasMessage(key) ? translate(key) : one;
    });
  return called.join(LIST);
}
