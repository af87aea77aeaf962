import type { RuleGroup } from "../../seam/surface/rules.ts";
import type { SetupStep } from "../../seam/surface/setup.ts";
import { type ChatName, CHATS } from "../../seam/values.ts";
import { type SettingName, settings } from "../config.ts";
import { chatEntries } from "../settings/set-up.ts";
import type { SettingField } from "./setting-field.ts";

/** What is set up with a chat platform, as its settings say. */
function fieldsOf(chat: ChatName): readonly SettingField[] {
  return (Object.keys(settings.shape) as SettingName[]).flatMap((name) => {
    const entry = chatEntries.get(settings.shape[name]);
    return entry?.step === chat ? [{ name, ...entry }] : [];
  });
}

/** What is set up in the browser, step by step. */
export const STEPS: Readonly<Record<SetupStep, readonly SettingField[]>> = {
  service: [
    { name: "REELAY_API_URL", kind: "address", wrong: "setup.wrong.api" },
    { name: "REELAY_API_KEY", kind: "secret", wrong: "setup.wrong.key" },
  ],
  ...(Object.fromEntries(CHATS.map((chat) => [chat, fieldsOf(chat)])) as Record<
    ChatName,
    readonly SettingField[]
  >),
  people: [
    { name: "REELAY_ALLOWED", kind: "people", wrong: "setup.wrong.list" },
    { name: "REELAY_OPERATOR_KEY_FOR", kind: "people", wrong: "setup.wrong.list" },
    { name: "REELAY_DAILY_CAP", kind: "number", wrong: "setup.wrong.number" },
    { name: "REELAY_CHAT_DAILY_CAP", kind: "number", wrong: "setup.wrong.number" },
    { name: "REELAY_AT_ONCE", kind: "number", wrong: "setup.wrong.number" },
    { name: "REELAY_DAILY_BUDGET", kind: "tokens", wrong: "setup.wrong.tokens" },
    { name: "REELAY_MONTHLY_BUDGET", kind: "tokens", wrong: "setup.wrong.tokens" },
    { name: "REELAY_KEY_DAILY_BUDGET", kind: "tokens", wrong: "setup.wrong.tokens" },
    { name: "REELAY_KEY_MONTHLY_BUDGET", kind: "tokens", wrong: "setup.wrong.tokens" },
    { name: "REELAY_TERMS_URL", kind: "address", wrong: "setup.wrong.address" },
  ],
  public: [{ name: "REELAY_PUBLIC_URL", kind: "address", wrong: "setup.wrong.address" }],
};

/** A setting that is shown among the rules. */
interface RuleField extends SettingField {
  /** Names something on the machine, which is for whoever has the machine: the environment alone says it. */
  readonly isPlace?: true;
}

const number = (name: SettingName) => ({ name, kind: "number", wrong: "setup.wrong.number" }) as const;
const tokens = (name: SettingName) => ({ name, kind: "tokens", wrong: "setup.wrong.tokens" }) as const;
const choice = (name: SettingName) => ({ name, kind: "choice", wrong: "setup.wrong.choice" }) as const;
const people = (name: SettingName) => ({ name, kind: "people", wrong: "setup.wrong.list" }) as const;
const place = (name: SettingName) =>
  ({ name, kind: "text", wrong: "setup.wrong.locked", isPlace: true }) as const;

/** What may be changed while Reelay runs, as a person would look for it. */
export const RULES: Readonly<Record<RuleGroup, readonly RuleField[]>> = {
  people: [
    people("REELAY_ALLOWED"),
    people("REELAY_OPERATOR_KEY_FOR"),
    { name: "REELAY_BLOCKED", kind: "list", wrong: "setup.wrong.list" },
  ],
  caps: [
    number("REELAY_DAILY_CAP"),
    number("REELAY_CHAT_DAILY_CAP"),
    number("REELAY_AT_ONCE"),
    number("REELAY_CHAT_AT_ONCE"),
  ],
  budgets: [
    tokens("REELAY_DAILY_BUDGET"),
    tokens("REELAY_MONTHLY_BUDGET"),
    tokens("REELAY_CHAT_DAILY_BUDGET"),
    tokens("REELAY_CHAT_MONTHLY_BUDGET"),
    tokens("REELAY_KEY_DAILY_BUDGET"),
    tokens("REELAY_KEY_MONTHLY_BUDGET"),
    number("REELAY_BUDGET_WARNING"),
  ],
  content: [
    { name: "REELAY_TERMS_URL", kind: "address", wrong: "setup.wrong.address" },
    { name: "REELAY_OPERATIONS_OFF", kind: "list", wrong: "setup.wrong.operations" },
    { name: "REELAY_BLOCKED_WORDS", kind: "list", wrong: "setup.wrong.words" },
    place("REELAY_WORDS_FILE"),
    choice("REELAY_MATURE"),
    choice("REELAY_FULL_CATALOG"),
    choice("REELAY_SPOILER"),
  ],
  reports: [
    { name: "REELAY_REPORTS_TO", kind: "secret", wrong: "setup.wrong.place" },
    number("REELAY_REPORTS_TO_WITHHOLD"),
  ],
  retention: [
    number("REELAY_KEEP_DAYS"),
    number("REELAY_KEEP_AUDIT_DAYS"),
    number("REELAY_KEEP_USAGE_DAYS"),
    choice("REELAY_AUDIT_INPUTS"),
  ],
  alerts: [
    { name: "REELAY_ALERTS_TO", kind: "secret", wrong: "setup.wrong.places" },
    number("REELAY_ALERTS_PLATFORM_MINUTES"),
    number("REELAY_ALERTS_DISK_MB"),
    number("REELAY_ALERTS_TOKEN_DAYS"),
  ],
  backups: [
    place("REELAY_BACKUP_TO"),
    { name: "REELAY_BACKUP_AT", kind: "text", wrong: "setup.wrong.times" },
    number("REELAY_BACKUP_KEEP"),
  ],
};

/** The same, whatever they are about. */
export const RULE_FIELDS: readonly RuleField[] = Object.values(RULES).flat();

/** Everything that can be set in the browser, and is stored, each once: what the steps set, and the rules. */
export const FIELDS: readonly SettingField[] = Object.values(
  Object.fromEntries(
    [...Object.values(STEPS).flat(), ...RULE_FIELDS.filter(({ isPlace }) => !isPlace)].map((field) => [
      field.name,
      field,
    ]),
  ),
);

/** What is looked up in the rules at each decision, so that other values count from the next one on. */
const AT_ONCE: ReadonlySet<string> = new Set<SettingName>([
  "REELAY_ALLOWED",
  "REELAY_DAILY_CAP",
  "REELAY_CHAT_DAILY_CAP",
  "REELAY_AT_ONCE",
  "REELAY_CHAT_AT_ONCE",
  "REELAY_DAILY_BUDGET",
  "REELAY_MONTHLY_BUDGET",
  "REELAY_CHAT_DAILY_BUDGET",
  "REELAY_CHAT_MONTHLY_BUDGET",
  "REELAY_KEY_DAILY_BUDGET",
  "REELAY_KEY_MONTHLY_BUDGET",
  "REELAY_BUDGET_WARNING",
  "REELAY_TERMS_URL",
  "REELAY_MATURE",
  "REELAY_FULL_CATALOG",
  "REELAY_SPOILER",
]);

/** Whether a setting counts at once where it changes; else what stands on it is opened anew. */
export const isAtOnce = (setting: string) => AT_ONCE.has(setting);
