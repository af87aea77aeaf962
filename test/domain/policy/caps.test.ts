import { describe, expect, it } from "vitest";
import type { Caps, Partner } from "../../../src/seam/access/partners.ts";
import type { Group } from "../../../src/seam/access/groups.ts";
import { isSet } from "../../../src/domain/budgets/budget.ts";
import { capsOfPartner, capsOfPerson, type JobCaps, reached } from "../../../src/domain/policy/caps.ts";

const budgets = { person: {}, chat: {}, key: {}, warnAt: undefined };
const rules = { dailyCap: 20, chatDailyCap: 100, atOnce: undefined, chatAtOnce: undefined, budgets };

type Asker = `${"web" | "cli" | "telegram"}:${string}`;
type Source = "operator" | "group" | "own";

const capsOf = (user: Asker, source: Source, chat?: `telegram:${string}`, group = {}, different = {}) =>
  capsOfPerson({ user, ...(chat && { chat }) }, { source, keyId: "k" }, group, { ...rules, ...different });

/** Jobs a day that a group's key pays for: of somebody with these roles, and of all together. */
const groupCaps = (group: Group, roles?: readonly string[]) =>
  capsOfPerson(
    { user: "discord:1", chat: "discord:2", ...(roles && { roles }) },
    { source: "group", keyId: "k" },
    group,
    rules,
  ).begun.map(({ max }) => max);

const capsFor = (caps: Caps, userCaps: Caps, source: Source = "own", key = {}) =>
  capsOfPartner({ id: "shop", caps, userCaps } as Partner, "ann", { source }, { key }, false);

describe("the caps of a day", () => {
  const own = { period: "day", payer: "k", code: "daily_cap", by: "telegram:1", max: 20 };
  const inChat = { period: "day", payer: "k", code: "chat_cap", by: "telegram:-2", max: 100 };
  /** Whichever key of theirs pays. */
  const operators = { payer: "operator" };

  it("are for others who use the operator's key, and for nobody on the operator's own page and command line", () => {
    expect(capsOf("telegram:1", "operator").begun).toEqual([{ ...own, ...operators }]);
    expect(capsOf("telegram:1", "operator", "telegram:-2", { memberDaily: 3 }).begun).toEqual([
      { ...own, ...operators },
      { ...inChat, ...operators },
    ]);
    expect(capsOf("web:me", "operator").begun).toEqual([]);
    expect(capsOf("cli:me", "operator").begun).toEqual([]);
  });

  it("are not for one's own key, and a group's counts for everybody", () => {
    expect(capsOf("telegram:1", "own", "telegram:-2").begun).toEqual([]);
    const all = { ...inChat, max: Infinity };
    expect(capsOf("telegram:1", "group", "telegram:-2").begun).toEqual([own, all]);
    expect(capsOf("telegram:1", "group", "telegram:-2", { memberDaily: 0 }).begun).toEqual([
      { ...own, max: 0 },
      all,
    ]);
  });
});

describe("the caps of a group's key", () => {
  it("are those of the role that allows most, and everybody's for whoever has none that says anything", () => {
    const group: Group = { memberDaily: 3, roleDaily: { "10": 0, "11": 8, "12": 5 } };
    expect(groupCaps(group)[0]).toBe(3);
    expect(groupCaps(group, ["99"])[0]).toBe(3);
    expect(groupCaps(group, ["10"])[0]).toBe(0);
    expect(groupCaps(group, ["12", "10", "11"])[0]).toBe(8);
    expect(groupCaps({ roleDaily: { "10": 2 } }, [])[0]).toBe(rules.dailyCap);
  });

  it("are for all together, too, where that was set", () => {
    expect(groupCaps({ daily: 7 })).toEqual([rules.dailyCap, 7]);
    expect(groupCaps({ daily: 0, roleDaily: { "10": 9 } }, ["10"])).toEqual([9, 0]);
  });
});

describe("the caps of what goes on at once", () => {
  it("are for everybody, whoever pays, where there are any", () => {
    expect(capsOf("telegram:1", "own", "telegram:-2").atOnce).toEqual([]);
    const caps = { atOnce: 0, chatAtOnce: 5 };
    const one = { code: "at_once_cap", period: "at_once", jobs: { user: "telegram:1" }, max: 0 };
    expect(capsOf("telegram:1", "own", undefined, {}, caps).atOnce).toEqual([one]);
    expect(capsOf("telegram:1", "operator", "telegram:-2", {}, caps).atOnce).toEqual([
      one,
      { code: "chat_at_once_cap", period: "at_once", jobs: { chat: "telegram:-2" }, max: 5 },
    ]);
  });
});

describe("a partner's caps", () => {
  it("are those of the user, then those of all", () => {
    expect(capsFor({}, {})).toMatchObject({ begun: [], atOnce: [] });
    const user = { code: "partner_cap", whose: "user", by: "http:shop ann" };
    const all = { code: "partner_cap", whose: "partner", by: "http:shop" };
    expect(capsFor({ day: 4, month: 5, atOnce: 6 }, { day: 1, month: 2, atOnce: 3 })).toMatchObject({
      begun: [
        { ...user, period: "day", max: 1 },
        { ...user, period: "month", max: 2 },
        { ...all, period: "day", max: 4 },
        { ...all, period: "month", max: 5 },
      ],
      atOnce: [
        {
          code: "partner_cap",
          whose: "user",
          period: "at_once",
          jobs: { user: "http:shop", username: "ann" },
          max: 3,
        },
        { code: "partner_cap", whose: "partner", period: "at_once", jobs: { user: "http:shop" }, max: 6 },
      ],
    });
  });
});

it("say how many may be, how often, and of a partner's whose", () => {
  const [day] = capsOf("telegram:1", "operator").begun;
  expect(day && reached(day)).toMatchObject({ code: "daily_cap", params: { max: 20 } });
  expect(day && reached(day).params).toEqual({ max: 20 });
  const [ofUser] = capsFor({}, { day: 1 }).begun;
  expect(ofUser && reached(ofUser)).toMatchObject({
    code: "partner_period_cap",
    params: { max: 1, period: "day", whose: "user", until: expect.any(Number) },
  });
});

/** What a job counts in, with the bound that is set. */
const counted = (caps: JobCaps) => caps.budgets.map(({ whose, period, max }) => `${whose} ${period} ${max}`);

/** The same of these, where none is. */
const by = (...all: readonly string[]) =>
  all.flatMap((whose) => [`${whose} day undefined`, `${whose} month undefined`]);

describe("budgets", () => {
  const set = { person: { day: 5, month: 9 }, chat: { month: 30 }, key: { day: 100 }, warnAt: undefined };
  const of = (user: Asker, source: Source, group: Group = {}) =>
    capsOf(user, source, "telegram:-2", group, { budgets: set })
      .budgets.filter(isSet)
      .map(({ whose, by, payer, period, max }) => `${whose} ${by} ${payer} ${period} ${max}`);

  it("are the operator's for others who use their key, whichever that is, and for all who do together", () => {
    expect(of("telegram:1", "operator", { dayTokens: 1, memberDayTokens: 1 })).toEqual([
      "person telegram:1 operator day 5",
      "person telegram:1 operator month 9",
      "chat telegram:-2 operator month 30",
      "key operator operator day 100",
    ]);
    expect(of("web:me", "operator")).toEqual(["key operator operator day 100"]);
  });

  it("are the managers' for a group's key, and nobody's for one's own", () => {
    expect(of("telegram:1", "own")).toEqual([]);
    expect(of("telegram:1", "group")).toEqual([]);
    const group = { memberDayTokens: 1, memberMonthTokens: 2, dayTokens: 3, monthTokens: 0 };
    expect(of("telegram:1", "group", group)).toEqual([
      "person telegram:1 k day 1",
      "person telegram:1 k month 2",
      "chat telegram:-2 k day 3",
      "chat telegram:-2 k month 0",
    ]);
  });

  it("are for a partner whoever pays, for each of their people, and for the operator's key where that pays", () => {
    const caps = { dayTokens: 10, monthTokens: 100 };
    const whose = (source: Source) =>
      capsFor(caps, { monthTokens: 5 }, source, { month: 7 })
        .budgets.filter(isSet)
        .map(({ whose, by }) => `${whose} ${by}`);
    const own = ["user http:shop ann", "partner http:shop", "partner http:shop"];
    expect(whose("own")).toEqual(own);
    expect(whose("operator")).toEqual([...own, "key operator"]);
  });

  it("are there without a bound, too, by day and by month, wherever one may be set later", () => {
    const inChat = (user: Asker, source: Source) => counted(capsOf(user, source, "telegram:-2"));
    expect(inChat("telegram:1", "operator")).toEqual(by("person", "chat", "key"));
    expect(inChat("telegram:1", "group")).toEqual(by("person", "chat"));
    expect(inChat("telegram:1", "own")).toEqual([]);
    expect(inChat("web:me", "operator")).toEqual(by("key"));
    expect(counted(capsFor({}, {}))).toEqual(by("user", "partner"));
    expect(counted(capsFor({}, {}, "operator"))).toEqual(by("user", "partner", "key"));
  });
});
