import { z } from "zod";
import { isAmount, MOST_TOKENS } from "../../seam/forms/wanted.ts";
import { subjectNamed } from "../../seam/access/subjects.ts";

/** An absolute http(s) address without a trailing slash. */
export const address = z
  .url({ protocol: /^https?$/, error: "an http or https address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** Tokens of a budget: a number from 0 to the most that can be counted, with two decimals at most. */
export function tokens() {
  const error = `tokens: a number from 0 to ${MOST_TOKENS}, with two decimals at most`;
  return z.coerce
    .number({ error })
    .min(0, { error })
    .max(MOST_TOKENS, { error })
    .refine((given) => isAmount(given), { error });
}

/** One of some words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(", ")}` });

/** Items between commas. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

const SUBJECTS_WANTED =
  "a list like telegram:12345,telegram:-10012,http:my-shop; ids are numbers, never @names";

/** People, partners, their people and chats, as they are named everywhere. */
export const subjects = list.transform((all, context) => all.map((one) => named(one, context)));

/** The same but for partners' people, or everybody. */
export const subjectsOrAll = list.transform((all, context) =>
  all.map((one) => (one === "all" ? one : named(one, context, (subject) => !subject.includes("/")))),
);

function named(
  one: string,
  context: z.RefinementCtx,
  isMeant: (subject: string) => boolean = () => true,
): string {
  const subject = subjectNamed(one);
  if (subject !== undefined && isMeant(subject)) return subject;
  context.addIssue({ code: "custom", message: SUBJECTS_WANTED });
  return z.NEVER;
}
