import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { isInvited, isNamed } from "../../../src/domain/accounts/subjects.ts";

describe("whom the operator's lists mean", () => {
  const {
    policy: { allowed },
    operatorKeyFor,
  } = readConfig({
    REELAY_ALLOWED: "telegram:1,discord:9",
    REELAY_OPERATOR_KEY_FOR: "telegram:-10012,http:my-shop",
  });

  it.each([
    ["somebody on the list", { user: "telegram:1" }, true],
    ["somebody in a group on the list", { user: "discord:7", chat: "discord:9" }, true],
    ["somebody else", { user: "telegram:2" }, false],
    ["whoever runs Reelay", { user: "web:me" }, true],
    ["a partner, whom a token let in", { user: "http:club" }, true],
  ] as const)("may use Reelay: %s", (_, subject, invited) => {
    expect(isInvited(subject, allowed)).toBe(invited);
  });

  it.each([
    ["a group on the list", { user: "telegram:2", chat: "telegram:-10012" }, true],
    ["a partner on the list", { user: "http:my-shop" }, true],
    ["a partner whose name only begins so", { user: "http:my" }, false],
    ["another partner", { user: "http:club" }, false],
  ] as const)("spends the operator's key: %s", (_, subject, named) => {
    expect(isNamed(subject, operatorKeyFor)).toBe(named);
  });

  it("all are all, partners too", () => {
    expect(
      isNamed({ user: "http:club" }, readConfig({ REELAY_OPERATOR_KEY_FOR: "all" }).operatorKeyFor),
    ).toBe(true);
  });
});
