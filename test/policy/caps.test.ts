import { describe, expect, it } from "vitest";
import { capsOfPerson } from "../../src/policy/caps.ts";

const rules = { dailyCap: 20, chatDailyCap: 100, atOnce: undefined, chatAtOnce: undefined };
const begunOf = (
  user: `${"web" | "cli" | "telegram"}:${string}`,
  source: "operator" | "group" | "own",
  chat?: `telegram:${string}`,
) =>
  capsOfPerson({ user, ...(chat && { chat }) }, { source, keyId: "k" }, {}, rules).begun.map(
    ({ code, max }) => `${code} ${max}`,
  );

describe("the caps of a day", () => {
  it("are for others who use the operator's key, and for nobody on the operator's own page and command line", () => {
    expect(begunOf("telegram:1", "operator")).toEqual(["daily_cap 20"]);
    expect(begunOf("telegram:1", "operator", "telegram:-2")).toEqual(["daily_cap 20", "chat_cap 100"]);
    expect(begunOf("web:me", "operator")).toEqual([]);
    expect(begunOf("cli:me", "operator")).toEqual([]);
  });

  it("are not for one's own key, and a group's counts for everybody", () => {
    expect(begunOf("telegram:1", "own")).toEqual([]);
    expect(begunOf("telegram:1", "group", "telegram:-2")).toEqual(["daily_cap 20", "chat_cap Infinity"]);
  });
});
