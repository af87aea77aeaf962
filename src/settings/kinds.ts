import { z } from "zod";

/** An absolute http(s) address without a trailing slash. */
export const address = z
  .url({ protocol: /^https?$/, error: "an http or https address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
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

/** People, partners, their people and chats. */
export const subjects = list.refine(
  (all) => all.every((one) => /^([a-z]+:[\w-]+|http:[\w-]+\/.+)$/u.test(one)),
  {
    error: "a list like telegram:12345,telegram:-10012,http:my-shop",
  },
);

/** The same, or everybody. */
export const subjectsOrAll = list.refine((all) => all.every((one) => /^(all|[a-z]+:[\w-]+)$/.test(one)), {
  error: "all, or a list like telegram:12345,telegram:-10012",
});
