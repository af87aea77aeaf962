import type { FieldSpec } from "../fields.ts";
import { ReelayError } from "../../common/errors.ts";
import { wantedFor, writtenNumber } from "./wanted.ts";

/** As many numbers can be seen at a glance; more are reached by steps. */
const MAX_SHOWN = 12;
/** The step where any number is allowed. */
const FREE_STEP = 0.5;
/** How many small steps a big one has, in a range that is worth it. */
const BIG = 10;

/** The step between the numbers that a field takes. */
const stepOf = ({ integer, multipleOf }: FieldSpec) => multipleOf ?? (integer ? 1 : FREE_STEP);

/**
 * Every number that a field takes, where these are few; undefined where they are many.
 * @param most how many are few
 */
export function fewNumbers(field: FieldSpec, most = MAX_SHOWN): readonly number[] | undefined {
  const { min, max } = field;
  const step = stepOf(field);
  if (min === undefined || max === undefined || (max - min) / step >= most) return undefined;
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step);
}

/** Where steps lead from a number, lowest first; only what the field takes, and no number twice. */
export function steps(field: FieldSpec, from: number): readonly number[] {
  const { min = -Infinity, max = Infinity } = field;
  const step = stepOf(field);
  const isWide = max - min > 2 * BIG * step;
  const big = isWide ? [-BIG * step, BIG * step] : [];
  const reached = [-step, step, ...big].map((by) => Math.min(Math.max(from + by, min), max));
  return [...new Set(reached)].filter((number) => number !== from).toSorted((a, b) => a - b);
}

/**
 * Reads a number as people write it, also with a comma.
 * @throws ReelayError `field_invalid` or `field_out_of_range`
 */
export function readNumber(spec: FieldSpec, text: string): number {
  const { name: field, min, max, integer, multipleOf } = spec;
  const number = writtenNumber(text.replace(",", "."));
  if (number === undefined || !Number.isFinite(number)) {
    throw new ReelayError("field_invalid", { field, ...wantedFor(spec) });
  }
  if (number < (min ?? -Infinity) || number > (max ?? Infinity)) {
    throw min !== undefined && max !== undefined
      ? new ReelayError("field_out_of_range", { field, min, max })
      : new ReelayError("field_invalid", { field, ...wantedFor(spec) });
  }
  const divisor = multipleOf ?? (integer ? 1 : undefined);
  if (divisor !== undefined && number % divisor !== 0) {
    throw new ReelayError("field_invalid", { field, wanted: Math.round(number / divisor) * divisor });
  }
  return number;
}
