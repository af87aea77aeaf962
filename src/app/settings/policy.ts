import { resolve } from "node:path";
import { z } from "zod";
import { isChatId } from "../../seam/access/subjects.ts";
import { PLATFORMS, type UserId } from "../../seam/values.ts";
import { OPERATIONS } from "../../domain/operations/registry.ts";
import type { ClassifierSetting } from "../../domain/policy/classifier/setting.ts";
import type { PolicyConfig } from "../../domain/policy/config.ts";
import { FULL_CATALOG_PLACES } from "../../domain/policy/host.ts";
import { MATURE_PLACES } from "../../domain/policy/mature.ts";
import { readOperatorWords } from "../../domain/policy/words/operator-words.ts";
import { checkCalled } from "./called.ts";
import { address, list, oneOf, serviceKey, subjects, subjectsOrAll, tokens, whole } from "./kinds.ts";

/** When results are delivered covered. */
const SPOILERS = ["mature", "always", "never"] as const;

/** What of somebody's inputs the audit keeps. */
const AUDIT_INPUTS = ["digest", "words", "all"] as const;

/** What happens while the moderation endpoint cannot be asked. */
const WHEN_DOWN = ["closed", "open"] as const;

const operationsOff = list.refine((all) => all.every(isOperation), {
  error: `operations, everywhere (faceswap) or on a platform (telegram:faceswap), of ${OPERATIONS.map(({ id }) => id).join(", ")}`,
});

function isOperation(entry: string): boolean {
  const [operation, platform, ...rest] = entry.split(":").toReversed();
  const known = OPERATIONS.some(({ id }) => id === operation);
  const place = platform === undefined || PLATFORMS.some((name) => name === platform);
  return known && place && rest.length === 0;
}

const isChat = (text: string) => isChatId(text) || /^web:[\w-]+$/.test(text);

/** Where reports go: a chat or a person on a platform, or an address that is called. */
const reportsTo = z.string().refine((text) => isChat(text) || /^https?:\/\/./.test(text), {
  error: "a chat like telegram:-10012 or discord:1234, or an http(s) address",
});

/** The settings of who may make what, and what is kept of it; the descriptions are those of docs/settings.md. */
export const policySettings = {
  REELAY_ALLOWED: subjectsOrAll
    .default(["all"])
    .describe(
      "Who may use Reelay on chat platforms: `all`, or people, chats and servers by their ids, never @names (`telegram:12345,discord:98765`).",
    ),
  REELAY_BLOCKED: subjects
    .default([])
    .describe(
      "Who may not: people, chats, servers and partners as above, or one of a partner's people (`http:my-shop/NAME`, with NAME just as their app writes it). `reelay block` adds others while it runs.",
    ),
  REELAY_OPERATORS: subjects
    .default([])
    .describe(
      "People on chat platforms who may do what reports ask for (`telegram:12345`), besides the page and the command line.",
    ),
  REELAY_TERMS_URL: address
    .optional()
    .describe("Your own terms, linked where people accept ours. Another address asks everybody again."),
  REELAY_OPERATIONS_OFF: operationsOff
    .default([])
    .describe(
      "What cannot be made: operations, everywhere (`faceswap`) or on one platform (`telegram:faceswap`).",
    ),
  REELAY_BLOCKED_WORDS: list
    .default([])
    .describe("Words that no request may contain, comma-separated, however they are spelt."),
  REELAY_WORDS_FILE: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional()
    .describe("A file of more of them, one a line; `/…/` is a pattern, `#` begins a comment."),
  REELAY_MATURE: oneOf(MATURE_PLACES)
    .default("off")
    .describe(
      "Where templates flagged mature may be used: `off`, in `age-restricted` places only, or `on`: in private conversations too. Never in an ordinary group.",
    ),
  REELAY_FULL_CATALOG: oneOf(FULL_CATALOG_PLACES)
    .default("age-restricted")
    .describe(
      "Where the full-catalogue host is used: `off`, in `age-restricted` places only, or in `private` conversations too (the page and the command line are private). Never in an ordinary group.",
    ),
  REELAY_SPOILER: oneOf(SPOILERS)
    .default("mature")
    .describe(
      "Which results come covered until somebody wants to see them: of `mature` templates, `always`, `never`.",
    ),
  REELAY_DAILY_CAP: whole(0, 1_000_000)
    .default(20)
    .describe(
      "How many jobs one person may begin with your key (`REELAY_API_KEY`) in a day (UTC); with a server's own key too, where its managers set no other number. Partners have caps of their own; you, on the page and the command line, have none.",
    ),
  REELAY_CHAT_DAILY_CAP: whole(0, 1_000_000)
    .default(100)
    .describe("How many jobs the people of one group may begin with your key in a day (UTC)."),
  REELAY_DAILY_BUDGET: tokens()
    .optional()
    .describe(
      "How many tokens one person may spend with your key in a day (UTC). Unset: any number. What is being made counts with its expected price, then with what it cost; what failed and cost nothing does not count. With a server's own key its managers set budgets; partners have budgets of their own; you, on the page and the command line, have none.",
    ),
  REELAY_MONTHLY_BUDGET: tokens().optional().describe("The same in a month (UTC)."),
  REELAY_CHAT_DAILY_BUDGET: tokens()
    .optional()
    .describe("How many tokens the people of one group may spend together with your key in a day (UTC)."),
  REELAY_CHAT_MONTHLY_BUDGET: tokens().optional().describe("The same in a month (UTC)."),
  REELAY_KEY_DAILY_BUDGET: tokens()
    .optional()
    .describe(
      "How many tokens all jobs together may spend with your key in a day (UTC): those of partners without a key of their own, and yours, too.",
    ),
  REELAY_KEY_MONTHLY_BUDGET: tokens().optional().describe("The same in a month (UTC)."),
  REELAY_BUDGET_WARNING: whole(0, 100)
    .default(80)
    .describe(
      "At how many percent of a budget it is warned of, once in its day or month: a person or a group in their chat, a partner by the webhook `budget.warning`, you in the log and where reports go. 0: never.",
    ),
  REELAY_AT_ONCE: whole(1, 1_000_000)
    .optional()
    .describe(
      "How many jobs of one person may be going on at once, whoever pays. Unset: any number, each in its turn.",
    ),
  REELAY_CHAT_AT_ONCE: whole(1, 1_000_000)
    .optional()
    .describe("The same for all people of one group together."),
  REELAY_MODERATION_URL: address
    .optional()
    .describe(
      "An endpoint that speaks OpenAI's moderation format: words and pictures of what no other rule refuses are shown to it before they are sent.",
    ),
  REELAY_MODERATION_KEY: serviceKey.optional().describe("The key for it, sent as a bearer token."),
  REELAY_MODERATION_MODEL: z
    .string()
    .min(1)
    .default("omni-moderation-latest")
    .describe("The model that it is asked for."),
  REELAY_MODERATION_DOWN: oneOf(WHEN_DOWN)
    .default("closed")
    .describe(
      "While it cannot be asked: `closed` refuses requests, `open` lets them through. An answer that is not in the format refuses them in any case.",
    ),
  REELAY_MODERATION_TIMEOUT_MS: whole(100, 120_000)
    .default(10_000)
    .describe("How long its answers may take, in milliseconds."),
  REELAY_CLASSIFIER: z
    .string()
    .refine((text) => /^(off|on)$|[\\/]/.test(text), { error: "on, off, or the path of a module" })
    .default("off")
    .describe(
      "Whether a model on this machine looks at the pictures that people give and at results: `off`, `on` (it takes `npm install nsfwjs@4 @tensorflow/tfjs@4 @tensorflow/tfjs-backend-wasm@4`), or the path of a module of your own.",
    ),
  REELAY_REPORTS_TO: reportsTo
    .optional()
    .describe(
      "Where reports of results go: a chat (`telegram:-10012`, `discord:<channel>`) or an https address that is called (one in your own network: name its host in `REELAY_PRIVATE_HOSTS`). Unset: the page.",
    ),
  REELAY_REPORTS_TO_WITHHOLD: whole(0, 1000)
    .default(3)
    .describe("From how many reports on a result is withheld until you decide; 0: never."),
  REELAY_AUDIT_INPUTS: oneOf(AUDIT_INPUTS)
    .default("digest")
    .describe(
      "What `reelay audit` keeps of what people ask for: a `digest`, the `words` too, or `all` with their pictures.",
    ),
  REELAY_KEEP_DAYS: whole(0, 36_500)
    .default(90)
    .describe(
      "How many days jobs, conversations and files are kept after people were told of their end; 0: for good.",
    ),
  REELAY_KEEP_AUDIT_DAYS: whole(0, 36_500)
    .default(365)
    .describe("How many days the audit is kept; 0: for good."),
  REELAY_KEEP_USAGE_DAYS: whole(0, 36_500)
    .default(730)
    .describe("After how many days names go from the sums of usage; 0: never."),
} as const;

const schema = z.object(policySettings);

/** Where reports go when nothing is set: the page of whoever runs Reelay. */
const PAGE: UserId = "web:me";

function classifierOf(value: string): ClassifierSetting | undefined {
  if (value === "off") return undefined;
  return value === "on" ? value : { module: resolve(value) };
}

/**
 * The rules that the settings make.
 * @throws ConfigError for each line of the operator's words that does not parse, and for an address that may not be told of reports
 */
export function policyOf(
  value: z.output<typeof schema> & { readonly REELAY_PRIVATE_HOSTS: readonly string[] },
): PolicyConfig {
  const reportsTo = value.REELAY_REPORTS_TO ?? PAGE;
  checkCalled("REELAY_REPORTS_TO", [reportsTo], value.REELAY_PRIVATE_HOSTS);
  const url = value.REELAY_MODERATION_URL;
  return {
    allowed: value.REELAY_ALLOWED,
    blocked: value.REELAY_BLOCKED,
    operators: value.REELAY_OPERATORS,
    termsUrl: value.REELAY_TERMS_URL,
    operationsOff: value.REELAY_OPERATIONS_OFF,
    words: readOperatorWords(value.REELAY_BLOCKED_WORDS, value.REELAY_WORDS_FILE),
    mature: value.REELAY_MATURE,
    fullCatalog: value.REELAY_FULL_CATALOG,
    spoiler: value.REELAY_SPOILER,
    dailyCap: value.REELAY_DAILY_CAP,
    chatDailyCap: value.REELAY_CHAT_DAILY_CAP,
    budgets: {
      person: { day: value.REELAY_DAILY_BUDGET, month: value.REELAY_MONTHLY_BUDGET },
      chat: { day: value.REELAY_CHAT_DAILY_BUDGET, month: value.REELAY_CHAT_MONTHLY_BUDGET },
      key: { day: value.REELAY_KEY_DAILY_BUDGET, month: value.REELAY_KEY_MONTHLY_BUDGET },
      warnAt: value.REELAY_BUDGET_WARNING === 0 ? undefined : value.REELAY_BUDGET_WARNING / 100,
    },
    atOnce: value.REELAY_AT_ONCE,
    chatAtOnce: value.REELAY_CHAT_AT_ONCE,
    moderation:
      url === undefined
        ? undefined
        : {
            url,
            key: value.REELAY_MODERATION_KEY,
            model: value.REELAY_MODERATION_MODEL,
            whenDown: value.REELAY_MODERATION_DOWN,
            timeoutMs: value.REELAY_MODERATION_TIMEOUT_MS,
          },
    classifier: classifierOf(value.REELAY_CLASSIFIER),
    reportsTo,
    reportsToWithhold: value.REELAY_REPORTS_TO_WITHHOLD,
    auditInputs: value.REELAY_AUDIT_INPUTS,
    keepDays: {
      jobs: value.REELAY_KEEP_DAYS,
      audit: value.REELAY_KEEP_AUDIT_DAYS,
      usage: value.REELAY_KEEP_USAGE_DAYS,
    },
  };
}
