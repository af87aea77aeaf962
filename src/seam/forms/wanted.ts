import type { z } from "zod";
import type { FieldSpec } from "../fields.ts";
import type { Params } from "../../common/errors.ts";
import type { MessageKey } from "../../common/i18n.ts";

/** What names what would fit, filled with the parameters beside it: a sentence of `locales/`. */
type WantedKey = Extract<MessageKey, `wanted.${string}`>;

/** What bounds a number; undefined where nothing does. */
export interface NumberBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly integer?: boolean | undefined;
}

/** How the sentences of the validator begin: they are for programmers, and ours never begin so. */
const OF_THE_VALIDATOR = /^(?:Invalid|Too big|Too small|Unrecognized)\b/;

/** What the validator calls types. */
const TYPES: Readonly<Record<string, WantedKey>> = {
  string: "wanted.text",
  boolean: "wanted.switch",
  array: "wanted.list",
  object: "wanted.object",
  record: "wanted.object",
};

/** The number that would fit, as what fills `error.field_invalid`: `wanted` is the key of a sentence. */
export function wantedNumber({ min, max, integer = false }: NumberBounds): Params {
  const range =
    min !== undefined && max !== undefined
      ? "_between"
      : min !== undefined
        ? "_from"
        : max !== undefined
          ? "_to"
          : "";
  return {
    wanted: `wanted.${integer ? "integer" : "number"}${range}` satisfies WantedKey,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

/** What a field takes, as what fills `error.field_invalid`. */
export function wantedFor(field: FieldSpec): Params {
  switch (field.control) {
    case "choice":
      return { wanted: (field.choices ?? []).map(({ value }) => value).join(", ") };
    case "number":
      return wantedNumber(field);
    case "switch":
      return { wanted: "wanted.switch" };
    case "image":
    case "mask":
      return { wanted: "wanted.file" };
    case "images":
    case "sounds":
      return { wanted: "wanted.files" };
    default:
      return { wanted: "wanted.text" };
  }
}

/** What bounds the numbers that a schema takes. */
export function boundsOf({ minValue, maxValue, format }: z.ZodNumber): NumberBounds {
  return {
    ...(isBound(minValue) && { min: minValue }),
    ...(isBound(maxValue) && { max: maxValue }),
    integer: format === "safeint",
  };
}

/** zod writes the largest safe integer, or infinity, where no bound was given. */
const isBound = (value: number | null): value is number =>
  value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;

/**
 * What would fit in place of what the validator refuses, as for {@link wantedNumber}, never in its own words.
 * @param bounds all that is known of a number: an issue names the bound that was broken alone
 */
export function wantedOf(issue: z.core.$ZodIssue, bounds: NumberBounds = {}): Params {
  // What the schema itself says is wanted is best.
  if (!OF_THE_VALIDATOR.test(issue.message)) return { wanted: issue.message };
  switch (issue.code) {
    case "invalid_value":
      return { wanted: issue.values.join(", ") };
    case "invalid_type":
      if (issue.expected === "number" || issue.expected === "int")
        return wantedNumber({ ...bounds, ...(issue.expected === "int" && { integer: true }) });
      return { wanted: TYPES[issue.expected] ?? "wanted.other" };
    case "too_small":
      return wantedAmount(issue.origin, "from", { min: Number(issue.minimum), ...bounds });
    case "too_big":
      return wantedAmount(issue.origin, "to", { max: Number(issue.maximum), ...bounds });
    default:
      return { wanted: "wanted.other" };
  }
}

/** @param side which bound was broken */
function wantedAmount(origin: string, side: "from" | "to", bounds: NumberBounds): Params {
  if (origin === "string" || origin === "array") {
    const what = origin === "string" ? "characters" : "items";
    const { min, max } = bounds;
    const count = (side === "from" ? min : max) ?? 0;
    const bound = side === "from" ? { min: count } : { max: count };
    return { wanted: `wanted.${what}_${side}` satisfies WantedKey, count, ...bound };
  }
  return wantedNumber({ ...bounds, ...(origin === "int" && { integer: true }) });
}

/**
 * The number that somebody wrote: digits, with a point and a minus sign where it has them. What programs take for numbers besides, such
 * as blanks, `0x10` and `1e3`, is a slip of the hand where a person writes it.
 */
export const writtenNumber = (text: string): number | undefined =>
  /^-?(?:\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : undefined;

/** The most tokens that a budget can be of: far more than any account has, and counted exactly. */
export const MOST_TOKENS = 1_000_000_000;

/** Whether a number can be an amount of tokens: not negative, with two decimals at most (section 4.8). */
export const isAmount = (tokens: number): boolean =>
  tokens >= 0 && tokens <= MOST_TOKENS && Number(tokens.toFixed(2)) === tokens;
