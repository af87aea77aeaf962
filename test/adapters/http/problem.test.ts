import { describe, expect, it } from "vitest";
import { problemBody } from "../../../adapters/http/access/problem.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { LOCALES } from "../../../src/common/i18n.ts";

describe("what people read of a problem", () => {
  it.each([
    [new ReelayError("moderation_refused", { categories: "sexual_minors, hate" }), "sexual_minors"],
    [new ReelayError("operation_off", { operation: "faceswap" }), "faceswap"],
    [new ReelayError("partner_cap", { max: 1, period: "at_once", whose: "user" }), "at_once"],
    [new ReelayError("statement_missing", { statement: "faces" }), "faces"],
  ])("%s names nothing by its id", (error, id) => {
    for (const locale of LOCALES) {
      const { detail } = problemBody(error, "1", locale);
      expect(detail).not.toContain(id);
      expect(detail).not.toMatch(/[{}]/);
    }
  });

  it("names a field by its place, which programs know", () => {
    const error = new ReelayError("field_unknown_choice", { field: "template", value: "x" });
    const { detail, errors } = problemBody(error, "1", "de");
    expect(detail).toContain("input.template");
    expect(errors).toMatchObject([{ field: "input.template", detail }]);
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
