import { ownAction } from "../../../src/seam/text/actions.ts";
import type { Action, Fact, Message, NoticeView } from "../../../src/seam/views.ts";
import { LOCALES, type MessageKey, translator } from "../../../src/common/i18n.ts";
import type { ChatId } from "../../../src/seam/values.ts";
import { chatOf } from "../context/chat-context.ts";
import type { RulesScreen, TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { placeNamed } from "./naming.ts";

/** The mark of the buttons here. */
export const RULES = "g";

/** Stands before what is set. */
const MARK = "✓";

/** Jobs a day that can be chosen: of each member, and of all together; and tokens of a budget. */
const QUOTAS = [0, 1, 3, 5, 10, 20, 50, 100] as const;
const BUDGETS = [0, 10, 50, 100, 500, 1_000, 5_000] as const;
const LIMITS = [0, 10, 20, 50, 100, 200, 500, 1_000] as const;

/** A group's rules as the core tells them, with the group's name above and what changes them below. */
export async function withRules(
  services: Services,
  { chat: reader, locale, rules }: TelegramAddress & Pick<Required<TelegramAddress>, "rules">,
  view: NoticeView,
): Promise<NoticeView> {
  const { group, show } = rules;
  const chat = await services.sender.call("getChat", { chat_id: group });
  const title = "title" in chat ? chat.title : "";
  const to = (screen: RulesScreen, what: string, label: Message) =>
    ownAction(RULES, [group, screen, what].filter((part) => part !== "").join(":"), label);
  const actions = await SCREEN_ACTIONS[show]({ services, group, reader, locale, to });
  const back = show === "main" ? [] : [to("main", "", { key: "action.back" })];
  return {
    ...view,
    facts: await Promise.all((view.facts ?? []).map((fact) => withReader(services, fact))),
    text: { key: "telegram.group.rules", params: { title } },
    actions: [...actions, ...back],
  };
}

/** A rule with the name of where reports are told. */
async function withReader(services: Services, fact: Fact): Promise<Fact> {
  const { key, params } = fact.value;
  const log =
    params?.["log"] === undefined ? undefined : await placeNamed(services, `telegram:${params["log"]}`);
  return log === undefined ? fact : { ...fact, value: { key, params: { log } } };
}

/** What may be made in a group: everything that there is, where its rules name nothing. */
export async function allowedIn(
  intake: Pick<Services["intake"], "rulesIn" | "commands">,
  chat: ChatId,
): Promise<readonly string[]> {
  const { operations } = await intake.rulesIn(chat);
  return operations ?? intake.commands.filter(({ kind }) => kind === "operation").map(({ name }) => name);
}

interface ScreenParts extends Pick<TelegramAddress, "locale"> {
  readonly services: Services;
  readonly group: number;
  /** Who reads them, by Telegram's id. */
  readonly reader: number;
  readonly to: (screen: RulesScreen, what: string, label: Message) => Action;
}

/** What a budget can be. @param name its rule */
function budgetChoices(rule: RulesScreen, name: BudgetRule) {
  return async (parts: ScreenParts): Promise<readonly Action[]> => {
    const { [name]: set } = await rulesOf(parts);
    const offered = BUDGETS.map((tokens): Choice => [tokens, "fact.tokens"]);
    return choices(parts, rule, set, [...offered, [ALL, "group.no_limit"]]);
  };
}

type BudgetRule = "memberDayTokens" | "memberMonthTokens" | "dayTokens" | "monthTokens";

const SCREEN_ACTIONS: Readonly<Record<RulesScreen, (parts: ScreenParts) => Promise<readonly Action[]>>> = {
  main: async ({ to }) => [
    to("operations", "", { key: "field.operations" }),
    to("quota", "", { key: "field.member_daily" }),
    to("limit", "", { key: "field.daily" }),
    to("budgets", "", { key: "telegram.group.budgets" }),
    to("locale", "", { key: "field.locale" }),
    to("log", "", { key: "field.reports_to" }),
    to("main", "reports", { key: "command.reports" }),
    to("main", "connect", { key: "command.group_connect" }),
    to("main", "disconnect", { key: "command.group_disconnect" }),
  ],

  async operations({ services: { intake }, group, locale, to }) {
    const allowed = new Set(await allowedIn(intake, `telegram:${group}`));
    const operations = intake.commands.filter(({ kind }) => kind === "operation");
    const one = ({ name, label }: (typeof operations)[number]) => {
      const text = `${allowed.has(name) ? MARK : "✗"} ${translator(locale)(label)}`;
      const what = `${allowed.has(name) ? "forbid" : "allow"}=${name}`;
      return to("operations", what, { key: "fact.text", params: { text } });
    };
    return [...operations.map(one), to("main", "operations=all", { key: "telegram.group.all_operations" })];
  },

  async quota(parts) {
    const { memberDaily } = await rulesOf(parts);
    return choices(parts, "member_daily", memberDaily, [
      ...QUOTAS.map(jobsADay),
      [ALL, "telegram.group.usual_quota"],
    ]);
  },

  async limit(parts) {
    const { daily } = await rulesOf(parts);
    return choices(parts, "daily", daily, [...LIMITS.map(jobsADay), [ALL, "group.no_limit"]]);
  },

  budgets: async ({ to }) => [
    to("member_day_tokens", "", { key: "field.member_day_tokens" }),
    to("member_month_tokens", "", { key: "field.member_month_tokens" }),
    to("day_tokens", "", { key: "field.day_tokens" }),
    to("month_tokens", "", { key: "field.month_tokens" }),
  ],
  member_day_tokens: budgetChoices("member_day_tokens", "memberDayTokens"),
  member_month_tokens: budgetChoices("member_month_tokens", "memberMonthTokens"),
  day_tokens: budgetChoices("day_tokens", "dayTokens"),
  month_tokens: budgetChoices("month_tokens", "monthTokens"),

  async log(parts) {
    const { log } = await rulesOf(parts);
    const isMine = log?.to === `telegram:${parts.reader}`;
    const chosen = isMine ? "me" : log && chatOf(log.to) < 0 ? "there" : "";
    const set = log && (log.isLost ? "" : chosen);
    return choices(parts, "reports_to", set, [
      ["me", "telegram.group.log_me"],
      ["there", "telegram.group.log_there"],
      [ALL, "telegram.group.log_none"],
    ]);
  },

  async locale(parts) {
    const { locale } = await rulesOf(parts);
    const named = LOCALES.map((one): Choice => [one, `choice.locale.${one}`]);
    return choices(parts, "locale", locale, [...named, [ALL, "telegram.group.own_locale"]]);
  },
};

/** Takes a rule back. */
export const ALL = "all";

/** What can be chosen: its value, and how it is called. */
type Choice = readonly [value: string | number, label: MessageKey];

const jobsADay = (jobs: number): Choice => [jobs, "fact.number"];

const rulesOf = ({ services, group }: ScreenParts) => services.intake.rulesIn(`telegram:${group}`);

/** Buttons that set a rule; the one that says what is set is marked. */
function choices(
  { locale, to }: ScreenParts,
  rule: string,
  set: string | number = ALL,
  offered: readonly Choice[],
): readonly Action[] {
  const say = translator(locale);
  return offered.map(([value, key]) => {
    const label = say(key, { count: Number(value), tokens: Number(value) });
    const text = value === set ? `${MARK} ${label}` : label;
    return to("main", `${rule}=${value}`, { key: "fact.text", params: { text } });
  });
}
