import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { WrongFields } from "../access/problem.ts";
import { BODY_BOUNDS } from "./bounds.ts";

/** Something that was taken out of a text before it is parsed. */
export interface Cut {
  /** Where in the text that is left. */
  readonly at: number;
  /** How many bytes longer the text was. */
  readonly bytes: number;
}

/**
 * Parses JSON.
 * @param cuts what was taken out of the text, in order
 * @throws ReelayError `body_unreadable` with `at`, the byte of the whole text at which it goes wrong; `body_too_deep`;
 * WrongFields for a member `__proto__`
 */
export function parseJson(text: string, cuts: readonly Cut[] = []): Json {
  const value = read(text, cuts);
  checkMembers(value, BODY_BOUNDS.depth);
  return value;
}

function read(text: string, cuts: readonly Cut[]): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const place = placeOf(text, cause);
    const missing = cuts.filter(({ at }) => at < place).reduce((sum, { bytes }) => sum + bytes, 0);
    const at = Buffer.byteLength(text.slice(0, place)) + missing;
    throw new ReelayError("body_unreadable", { at }, { cause });
  }
}

/** The one name that schemas leave out without a word: it is what an object is made after. */
const UNREAD = "__proto__";

/** Whoever goes through a value calls itself for each level: the stack must be deep enough. */
function checkMembers(value: Json, levels: number, path: readonly string[] = []): void {
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new ReelayError("body_too_deep", { max: BODY_BOUNDS.depth });
  for (const [name, inner] of Object.entries<Json>(value)) {
    const at = [...path, name];
    if (name === UNREAD) throw unread(at.join("."));
    checkMembers(inner, levels - 1, at);
  }
}

const unread = (field: string) =>
  new WrongFields([{ field, code: "field_unknown", params: { name: field } }]);

const UNEXPECTED = /^Unexpected (?!end)/;

/** V8 tells where most mistakes are, but not where an unexpected character is. */
function placeOf(text: string, error: unknown): number {
  const told = / at position (\d+)/.exec(messageOf(error))?.[1];
  if (told !== undefined) return Number(told);
  if (!UNEXPECTED.test(messageOf(error))) return text.length;
  // The shortest beginning that has the mistake ends with it.
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const middle = Math.floor((without + having) / 2);
    if (UNEXPECTED.test(mistakeIn(text.slice(0, middle)))) having = middle;
    else without = middle;
  }
  return having - 1;
}

function mistakeIn(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
