import { describe, expect, it } from "vitest";
import { may } from "../../../src/domain/operators/roles.ts";
import { OPERATOR_ACTS, OPERATOR_ROLES, type OperatorRole } from "../../../src/seam/access/operators.ts";

const refused = (role: OperatorRole) => OPERATOR_ACTS.filter((act) => !may(role, act));

describe("what roles may", () => {
  it("is everything for an owner, and for operators all but saying who is one, and setting Reelay up", () => {
    expect(refused("owner")).toEqual([]);
    expect(refused("operator")).toEqual(["manage-operators", "set-up"]);
  });

  it("keeps money from moderators, who decide about people and reports alone", () => {
    expect(refused("moderator")).toEqual([
      "see-money",
      "see-partners",
      "see-rules",
      "see-keys",
      "act-on-job",
      "manage-partners",
      "change-rule",
      "manage-keys",
      "make",
      "manage-operators",
      "set-up",
    ]);
  });

  it("lets viewers look, and press nothing", () => {
    const looks = OPERATOR_ACTS.filter((act) => act.startsWith("see-"));
    expect(OPERATOR_ACTS.filter((act) => may("viewer", act))).toEqual(looks);
  });

  it("lets everybody see what is going on", () => {
    expect(OPERATOR_ROLES.filter((role) => may(role, "see-now"))).toEqual([...OPERATOR_ROLES]);
  });
});
