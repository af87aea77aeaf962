import { isIP } from "node:net";
import { z } from "zod";
import { translator } from "../../common/i18n.ts";
import { insteadOf } from "../../common/said-key.ts";
import { isAmount, MOST_TOKENS, writtenNumber } from "../../seam/forms/wanted.ts";
import { subjectNamed } from "../../seam/access/subjects.ts";

/** What an environment sets. One rule for every setting: what is empty, or of blanks alone, counts as unset. */
export const givenBy = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => Boolean(one[1]?.trim())));

/** Items between commas. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

/** An absolute http(s) address without a trailing slash, and with nothing in it that opens something: addresses are shown. */
export const address = z
  .url({ protocol: /^https?$/, error: "an http or https address" })
  .refine((url) => !hasCredentials(url), { error: "an http or https address without a name and a password" })
  .transform((url) => url.replace(/\/+$/, ""));

/** The same where paths are put behind it: what began at a `?` or a `#` would swallow them. */
export const baseAddress = address.refine((url) => !/[?#]/.test(url), {
  error: "an http or https address without ? and #, as paths are put behind it",
});

/** A name as URLs have hosts: of letters, digits, dots, dashes and underscores, and no number that stands for an address. */
const HOST_NAME = /^[a-z0-9._-]+$/i;

/** Where something listens. */
export const host = z
  .string()
  .trim()
  .refine((text) => isIP(text) !== 0 || (HOST_NAME.test(text) && hostNamed(text) === text.toLowerCase()), {
    error: "an IP address or the name of a host, without a port",
  });

const HOSTS_WANTED = "a list of hosts, each alone or with a port: nas.local,10.0.0.5:8080,[fd00::1]:8080";

/** Hosts between commas, each as the address of a request has it. */
export const hosts = list.transform((all, context) =>
  all.map((one) => {
    const [, name = "", port] = /^(\[[^\]]+\]|[^\s/:@?#\\]+)(?::(\d{1,5}))?$/.exec(one) ?? [];
    const named = hostNamed(name);
    const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
    if (named !== undefined && isPort) return port === undefined ? named : `${named}:${Number(port)}`;
    context.addIssue({ code: "custom", message: HOSTS_WANTED });
    return z.NEVER;
  }),
);

/** A host as a URL names it; undefined for what no URL can lead to, or to that alone. */
function hostNamed(text: string): string | undefined {
  const named = URL.parse(`http://${text}`)?.hostname;
  return named !== undefined && (named.startsWith("[") || HOST_NAME.test(named)) ? named : undefined;
}

/** A key that opens a service, sent in a header. */
export const serviceKey = z
  .string()
  .trim()
  .superRefine((key, context) => {
    const wanted = insteadOf(key);
    if (wanted !== undefined) context.addIssue({ code: "custom", message: translator("en")(wanted) });
  });

function hasCredentials(url: string): boolean {
  const { username = "", password = "" } = URL.parse(url) ?? {};
  return username !== "" || password !== "";
}

/** A number as a person writes it; anything else is none. */
const written = (error: string) => z.string({ error }).transform((text) => writtenNumber(text) ?? Number.NaN);

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return written(error).pipe(z.number({ error }).int({ error }).min(min, { error }).max(max, { error }));
}

/** Tokens of a budget: a number from 0 to the most that can be counted, with two decimals at most. */
export function tokens() {
  const error = `tokens: a number from 0 to ${MOST_TOKENS}, with two decimals at most`;
  const amount = z.number({ error }).min(0, { error }).max(MOST_TOKENS, { error });
  return written(error).pipe(amount.refine((given) => isAmount(given), { error }));
}

/** One of some words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(", ")}` });

const SUBJECTS_WANTED = "a list like telegram:12345,telegram:-10012,http:my-shop; ids, never @names";

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
