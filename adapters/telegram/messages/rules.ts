import { ownAction } from "../../../src/seam/text/actions.ts";
import type { Action, Message, NoticeView } from "../../../src/seam/views.ts";
import { LOCALES, translator } from "../../../src/common/i18n.ts";
import type { RulesScreen, TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";

/** The mark of the buttons here. */
export const RULES = "g";

/** Jobs a day that can be chosen: of each member, and of all together. */
const QUOTAS = [0, 1, 3, 5, 10, 20, 50, 100] as const;
const LIMITS = [0, 10, 20, 50, 100, 200, 500, 1_000] as const;

/** A group's rules as the core tells them, with the group's name above and what changes them below. */
export async function withRules(
  services: Services,
  { locale, rules }: TelegramAddress & Pick<Required<TelegramAddress>, "rules">,
  view: NoticeView,
): Promise<NoticeView> {
  const { group, show } = rules;
  const chat = await services.sender.call("getChat", { chat_id: group });
  const title = "title" in chat ? chat.title : "";
  const to = (screen: RulesScreen, what: string, label: Message) =>
    ownAction(RULES, [group, screen, what].filter((part) => part !== "").join(":"), label);
  const actions = await SCREEN_ACTIONS[show]({ services, group, locale, to });
  const back = show === "main" ? [] : [to("main", "", { key: "action.back" })];
  return {
    ...view,
    text: { key: "telegram.group.rules", params: { title } },
    actions: [...actions, ...back],
  };
}

interface ScreenParts extends Pick<TelegramAddress, "locale"> {
  readonly services: Services;
  readonly group: number;
  readonly to: (screen: RulesScreen, what: string, label: Message) => Action;
}

const SCREEN_ACTIONS: Readonly<Record<RulesScreen, (parts: ScreenParts) => Promise<readonly Action[]>>> = {
  main: async ({ to }) => [
    to("operations", "", { key: "field.operations" }),
    to("quota", "", { key: "field.member_daily" }),
    to("limit", "", { key: "field.daily" }),
    to("locale", "", { key: "field.locale" }),
    to("main", "reports", { key: "command.reports" }),
    to("main", "connect", { key: "command.group_connect" }),
    to("main", "disconnect", { key: "command.group_disconnect" }),
  ],

  async operations({ services: { intake }, group, locale, to }) {
    const allowed = new Set(await intake.operationsIn(`telegram:${group}`));
    const operations = intake.commands.filter(({ kind }) => kind === "operation");
    const one = ({ name, label }: (typeof operations)[number]) => {
      const text = `${allowed.has(name) ? "✓" : "✗"} ${translator(locale)(label)}`;
      const what = `${allowed.has(name) ? "forbid" : "allow"}=${name}`;
      return to("operations", what, { key: "fact.text", params: { text } });
    };
    return [...operations.map(one), to("main", "operations=all", { key: "telegram.group.all_operations" })];
  },

  quota: async ({ to }) => [
    ...QUOTAS.map((jobs) =>
      to("main", `member_daily=${jobs}`, { key: "fact.number", params: { count: jobs } }),
    ),
    to("main", "member_daily=all", { key: "telegram.group.usual_quota" }),
  ],

  limit: async ({ to }) => [
    ...LIMITS.map((jobs) => to("main", `daily=${jobs}`, { key: "fact.number", params: { count: jobs } })),
    to("main", "daily=all", { key: "group.no_limit" }),
  ],

  locale: async ({ to }) => [
    ...LOCALES.map((one) => to("main", `locale=${one}`, { key: `choice.locale.${one}` })),
    to("main", "locale=all", { key: "telegram.group.own_locale" }),
  ],
};
