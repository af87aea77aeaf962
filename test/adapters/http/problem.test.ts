import { describe, expect, it } from "vitest";
import { problemBody } from "../../../adapters/http/access/problem.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { LOCALES } from "../../../src/common/i18n.ts";

describe("what people read of a problem", () => {
  it.each([
    [new ReelayError("moderation_refused", { categories: "sexual_minors, hate" }), "sexual_minors"],
    [new ReelayError("operation_off", { operation: "faceswap" }), "faceswap"],
    [new ReelayError("partner_cap", { max: 1, period: "at_once", whose: "user" }), "at_once"],
    [new ReelayError("partner_period_cap", { max: 1, period: "month", whose: "user", until: 0 }), "month,"],
    [
      new ReelayError("budget_spent", { whose: "partner", during: "day", budget: 9, spent: 8.5, until: 0 }),
      "partner",
    ],
    [new ReelayError("shared_budget_spent", { during: "month", until: 0 }), "month,"],
    [new ReelayError("statement_missing", { statement: "faces" }), "faces"],
  ])("%s names nothing by its id", (error, id) => {
    for (const locale of LOCALES) {
      const { detail } = problemBody(error, "1", locale);
      expect(detail).not.toContain(id);
      expect(detail).not.toMatch(/[{}]/);
    }
  });

  it("says of a stored key that cannot be read what a partner can do, too, who connects none", () => {
    const { detail, status } = problemBody(new ReelayError("key_unreadable"), "1", "en");
    expect(detail).toContain("Tell whoever runs this Reelay");
    expect(status).toBe(500);
  });

  it("names a field by its place, which programs know", () => {
    const error = new ReelayError("field_unknown_choice", { field: "template", value: "x" });
    const { detail, errors } = problemBody(error, "1", "de");
    expect(detail).toContain("input.template");
    expect(errors).toMatchObject([{ field: "input.template", detail }]);
  });

  it("says when a budget begins anew, by UTC", () => {
    const until = Date.UTC(2030, 1, 1);
    const params = { whose: "partner", during: "day", budget: 50, spent: 49.5, until };
    const problem = problemBody(new ReelayError("budget_spent", params), "1", "en");
    expect(problem).toMatchObject({ status: 403, retryable: false, ends_at: "2030-02-01T00:00:00.000Z" });
    expect(problem.detail).toContain("49.5 of 50 are spent");
    expect(problem.detail).toMatch(/Feb 1, 2030, 12:00\sAM UTC/);
  });

  it("says which terms belong to a statement", () => {
    const terms = "https://host.example/terms";
    expect(
      problemBody(new ReelayError("statement_missing", { statement: "terms", terms }), "1", "en"),
    ).toMatchObject({
      statement: "terms",
      terms_url: terms,
      agreed: ["terms"],
    });
  });
});
