import { z } from "zod";
import { type Fields, isFields } from "../transport/answer.ts";
import { decimal } from "./decimal.ts";
import { brief } from "../transport/scrub.ts";

/*
 * Answers are read leniently: a value that is missing or of an unexpected kind reads as null, and the answer
 * itself stays beside what was read from it, so that unknown fields are kept.
 */

/** The answer as it came; strings over 256 KiB are emptied. */
export interface Kept {
  readonly raw: Fields;
}

/** Numbers are also read that are written as strings. */
export const number = z
  .union([z.number(), z.stringFormat("decimal", /^-?\d+(\.\d+)?$/).transform(Number)])
  .nullable()
  .catch(null);

/** Tokens: as they are meant, whatever the service's sums leave of them. Everything that is known of amounts comes in here. */
export const amount = number.transform((tokens) => tokens && decimal(tokens));

export const text = z.string().nullable().catch(null);

/** No explanation is longer that anybody reads. */
const MOST_SAID = 500;

/** The service's own words for people: without control characters, and cut where they are many. */
export const said = text.transform((words) => words && brief(words, MOST_SAID));

export const flag = z.boolean().catch(false);

/** A list, without what is not text in it. */
export const texts = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.filter((item) => typeof item === "string"));

/** A list, without what is no object in it. */
export const objects = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.filter(isFields));

/** The objects of a wrapper, with the id that each stands under (sections 2.8 to 2.11). */
export function keyed(wrapper: unknown): readonly (readonly [id: string, entry: Fields])[] {
  return Object.entries(isFields(wrapper) ? wrapper : {}).flatMap(([id, entry]) =>
    isFields(entry) ? [[id, entry] as const] : [],
  );
}

/**
 * Timestamps carry no zone (section 2.1), and nobody says which it is: milliseconds since 1970 if it were UTC. Differences
 * between two of them are right; to compare one with our own clock, measure theirs.
 */
export const time = z
  .string()
  .transform((stamp) => {
    const iso = stamp.trim().replace(" ", "T");
    const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(iso) || !iso.includes("T");
    const ms = Date.parse(zoned ? iso : `${iso}Z`);
    return Number.isNaN(ms) ? null : ms;
  })
  .nullable()
  .catch(null);
