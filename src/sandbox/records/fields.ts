import { z } from "zod";
import { SEED } from "../../common/contract.ts";

// Fields that several operations have; their refusals say the bound.

/** Any text. */
export const text = z.string({ error: "must be a string" });

/** True or false. */
export const flag = z.boolean({ error: "must be true or false" });

/** Any number. */
export const decimal = z.number({ error: "must be a number" });

/**
 * A text that must be there.
 * @param what what it has to be, for the refusal: `a picture as base64 or a data URI`
 */
export const required = (what: string) => z.string({ error: `is required: ${what}` });

/** A prompt that must say something. */
export const prompt = required("a text").refine((value) => value.trim() !== "", {
  error: "is required: a text",
});

/** One of some texts. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

/**
 * A whole number.
 * @param rule its bound in words, for the refusal
 */
export const whole = (rule: string, fits: (value: number) => boolean) =>
  z.number({ error: `must be ${rule}` }).refine((value) => Number.isSafeInteger(value) && fits(value), {
    error: `must be ${rule}`,
  });

/** A whole number within bounds, both included. */
export const wholeFrom = (min: number, max: number) =>
  whole(`a whole number from ${min} to ${max}`, (value) => value >= min && value <= max);

/** A seed; random unless given (section 4.3). */
export const seed = whole(
  `${SEED.random} or a whole number from ${SEED.min}`,
  (value) => value === SEED.random || value >= SEED.min,
).default(SEED.random);
