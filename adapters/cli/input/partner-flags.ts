import { type Command, Option } from "commander";
import { z } from "zod";
import {
  GATES,
  type PartnerSettings,
  type Scope,
  SCOPES,
  type TokenTerms,
} from "../../../src/seam/access/partners.ts";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import { isAmount, MOST_TOKENS } from "../../../src/seam/forms/wanted.ts";
import { addNumber, numberIn } from "./numbers.ts";
import { CliProblem } from "../output/problems.ts";
import { currentTime } from "../../../src/common/time.ts";

/** What takes a cap away. */
const NONE = "none";

/** A cap: as `REELAY_DAILY_CAP`. */
const CAP = { min: 0, max: 1_000_000 } as const;
const cap = z.int().min(CAP.min).max(CAP.max);

/** As many as one process answers. */
const rate = z.int().min(1).max(100_000);

/** What jobs count for: as long as a name on the command line should be. */
const MAX_LABEL = 40;
const platform = z
  .string()
  .regex(/^[\w.-]+$/)
  .max(MAX_LABEL);

/** Tokens, as `REELAY_DAILY_BUDGET`. */
const budget = z.number().refine(isAmount);

const BUDGETS = [
  ["--tokens-per-day", "cli.flag.tokens_per_day"],
  ["--tokens-per-month", "cli.flag.tokens_per_month"],
  ["--user-tokens-per-day", "cli.flag.user_tokens_per_day"],
  ["--user-tokens-per-month", "cli.flag.user_tokens_per_month"],
] as const satisfies [string, MessageKey][];

const CAPS = [
  ["--per-day", "cli.flag.per_day"],
  ["--per-month", "cli.flag.per_month"],
  ["--at-once", "cli.flag.at_once"],
  ["--user-per-day", "cli.flag.user_per_day"],
  ["--user-per-month", "cli.flag.user_per_month"],
  ["--user-at-once", "cli.flag.user_at_once"],
] as const satisfies [string, MessageKey][];

const CHOICES = [
  ["gates", "cli.flag.gates"],
  ["mature", "cli.flag.mature"],
] as const satisfies [string, MessageKey][];

/** Commander takes null for nothing, so that it is told only when all flags are read. */
const capFlag = z.union([z.literal(NONE).transform(() => null), cap]).optional();

const budgetFlag = z.union([z.literal(NONE).transform(() => null), budget]).optional();

const settingsFlags = z.object({
  platform: platform.optional(),
  perDay: capFlag,
  perMonth: capFlag,
  atOnce: capFlag,
  userPerDay: capFlag,
  userPerMonth: capFlag,
  userAtOnce: capFlag,
  tokensPerDay: budgetFlag,
  tokensPerMonth: budgetFlag,
  userTokensPerDay: budgetFlag,
  userTokensPerMonth: budgetFlag,
  requestsPerMinute: rate.optional(),
  gates: z.enum(GATES).optional(),
  mature: z.enum(["on", "off"]).optional(),
  origins: z.array(z.string()).optional(),
});

/** Adds the service key that pays. */
export function addKeyFlag(command: Command, translate: Translate): void {
  command.option("--key <key|->", translate("cli.flag.key"));
}

/** The key that was given, `-` to ask for it; undefined for none. */
export function keyOf(command: Command): string | undefined {
  return z.object({ key: z.string().optional() }).parse(command.opts()).key;
}

/** Adds what a token may be used for, everything unless less is wanted, and how long. */
export function addTermsFlags(command: Command, translate: Translate): void {
  const scopes = new Option(`--scopes <${SCOPES.join(",")}>`, translate("cli.flag.scopes"));
  command.addOption(scopes.argParser(scopesIn).default([...SCOPES], SCOPES.join(",")));
  const expires = new Option("--expires <duration|date>", translate("cli.flag.expires"));
  command.addOption(expires.argParser((text) => endOf(text, currentTime())));
  command.option("--test", translate("cli.flag.test"));
}

/** What the token may be used for, how long, and where it leads. */
export function termsOf(command: Command): TokenTerms {
  const { scopes, expires: expiresAt, test } = termsFlags.parse(command.opts());
  return { scopes, expiresAt, test };
}

const termsFlags = z.object({
  scopes: z.array(z.enum(SCOPES)),
  expires: z.number().optional(),
  test: z.boolean().optional(),
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a duration is written with, in milliseconds. */
const UNITS = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS } as const;

/** Nothing that is meant to end lasts longer, in milliseconds. */
const LONGEST_MS = 100 * UNITS.y;

/**
 * When something ends that was given as a duration, or as the last day on which it counts (UTC).
 * @param now in milliseconds since 1970, as is what is returned
 * @throws CliProblem `value_invalid` for what is neither, or too far away
 * @throws CliProblem `over_already`
 */
function endOf(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,5})([hdwy])$/.exec(text) ?? [];
  const day = z.iso.date().safeParse(text);
  const end =
    count !== undefined && unit !== undefined
      ? now + Number(count) * UNITS[unit as keyof typeof UNITS]
      : day.success
        ? Date.parse(day.data) + DAY_MS
        : NaN;
  if (end <= now) throw new CliProblem("over_already", { given: text });
  if (!(end <= now + LONGEST_MS))
    throw new CliProblem("value_invalid", { flag: "--expires", wanted: "wanted.end" });
  return end;
}

/** Adds what a partner is held to. */
export function addSettingsFlags(command: Command, translate: Translate): void {
  const named = new Option("--platform <name>", translate("cli.flag.partner_platform"));
  command.addOption(named.argParser(platformIn));
  for (const [flag, description] of CAPS) {
    const option = new Option(`${flag} <number|${NONE}>`, translate(description));
    command.addOption(option.argParser((text) => capIn(flag, text)));
  }
  for (const [flag, description] of BUDGETS) {
    const option = new Option(`${flag} <tokens|${NONE}>`, translate(description));
    command.addOption(option.argParser((text) => budgetIn(flag, text)));
  }
  addNumber(command, "--requests-per-minute", translate("cli.flag.requests_per_minute"), rate);
  const origins = new Option(`--origins <addresses|${NONE}>`, translate("cli.flag.origins"));
  command.addOption(origins.argParser(originsIn));
  for (const [name, description] of CHOICES) {
    const { options } = settingsFlags.shape[name].unwrap();
    command.addOption(
      new Option(`--${name} <${options.join("|")}>`, translate(description)).choices(options),
    );
  }
}

/** What the partner is held to, as far as flags say so. */
export function settingsOf(command: Command): PartnerSettings {
  const flags = settingsFlags.parse(command.opts());
  return {
    platform: flags.platform,
    requestsPerMinute: flags.requestsPerMinute,
    gates: flags.gates,
    mature: flags.mature && flags.mature === "on",
    origins: flags.origins,
    caps: {
      day: flags.perDay,
      month: flags.perMonth,
      dayTokens: flags.tokensPerDay,
      monthTokens: flags.tokensPerMonth,
      atOnce: flags.atOnce,
    },
    userCaps: {
      day: flags.userPerDay,
      month: flags.userPerMonth,
      dayTokens: flags.userTokensPerDay,
      monthTokens: flags.userTokensPerMonth,
      atOnce: flags.userAtOnce,
    },
  };
}

/** Adds the answer to the question that would be asked. */
export function addYesFlag(command: Command, translate: Translate): void {
  command.option("--yes", translate("cli.flag.yes"));
}

/** @throws CliProblem `value_invalid` */
function scopesIn(text: string): Scope[] {
  const { data } = z.array(z.enum(SCOPES)).safeParse(text.split(","));
  if (!data) throw new CliProblem("value_invalid", { flag: "--scopes", wanted: SCOPES.join(", ") });
  return [...new Set(data)];
}

/** @throws CliProblem `value_invalid` */
function platformIn(text: string): string {
  if (platform.safeParse(text).success) return text;
  throw new CliProblem("value_invalid", { flag: "--platform", wanted: "wanted.label", max: MAX_LABEL });
}

/** No page is at an address with a `*` in it, which a URL may have: it would be taken for any, and be none. */
const isOrigin = (text: string) => /^https?:[^*]*$/.test(text) && URL.parse(text)?.origin === text;

/** Addresses of pages as browsers write them, so that each is compared exactly. @throws CliProblem `value_invalid` */
function originsIn(text: string): string[] {
  const origins = text === NONE ? [] : text.split(",");
  if (origins.every(isOrigin)) return origins;
  throw new CliProblem("value_invalid", { flag: "--origins", wanted: "wanted.origins" });
}

/** @throws CliProblem `value_invalid` */
function capIn(flag: string, text: string): typeof NONE | number {
  const given = text === NONE ? text : numberIn(text, cap);
  if (given !== undefined) return given;
  throw new CliProblem("value_invalid", { flag, wanted: "wanted.cap", ...CAP });
}

/** @throws CliProblem `value_invalid` */
function budgetIn(flag: string, text: string): typeof NONE | number {
  const given = text === NONE ? text : numberIn(text, budget);
  if (given !== undefined) return given;
  throw new CliProblem("value_invalid", { flag, wanted: "wanted.budget", max: MOST_TOKENS });
}
