import { describe, expect, it } from "vitest";
import type { Caps, Partner } from "../../../src/seam/access/partners.ts";
import type { Group } from "../../../src/seam/access/groups.ts";
import { capsOfPartner, capsOfPerson, reached } from "../../../src/domain/policy/caps.ts";

const rules = { dailyCap: 20, chatDailyCap: 100, atOnce: undefined, chatAtOnce: undefined };

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

const capsFor = (caps: Caps, userCaps: Caps) =>
  capsOfPartner({ id: "shop", caps, userCaps } as Partner, "ann");

describe("the caps of a day", () => {
  const day = { period: "day", keyId: "k" };
  const own = { ...day, code: "daily_cap", by: "telegram:1", max: 20 };
  const inChat = { ...day, code: "chat_cap", by: "telegram:-2", max: 100 };

  it("are for others who use the operator's key, and for nobody on the operator's own page and command line", () => {
    expect(capsOf("telegram:1", "operator").begun).toEqual([own]);
    expect(capsOf("telegram:1", "operator", "telegram:-2", { memberDaily: 3 }).begun).toEqual([own, inChat]);
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
    expect(capsFor({}, {})).toEqual({ begun: [], atOnce: [] });
    const user = { code: "partner_cap", whose: "user", by: "http:shop ann" };
    const all = { code: "partner_cap", whose: "partner", by: "http:shop" };
    expect(capsFor({ day: 4, month: 5, atOnce: 6 }, { day: 1, month: 2, atOnce: 3 })).toEqual({
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
  const [ofUser] = capsOfPartner({ id: "shop", caps: {}, userCaps: { day: 1 } } as Partner, "ann").begun;
  expect(ofUser && reached(ofUser).params).toEqual({ max: 1, period: "day", whose: "user" });
});
