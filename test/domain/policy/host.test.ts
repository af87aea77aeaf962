import { describe, expect, it } from "vitest";
import { FULL_CATALOG_PLACES, hostFor } from "../../../src/domain/policy/host.ts";

const both = { primary: "https://a.example/api", "full-catalog": "https://b.example/api" };

describe("the host of a request", () => {
  it.each([
    ["off", "private", "primary"],
    ["off", "group", "primary"],
    ["off", "age-restricted", "primary"],
    ["age-restricted", "private", "primary"],
    ["age-restricted", "group", "primary"],
    ["age-restricted", "age-restricted", "full-catalog"],
    ["private", "private", "full-catalog"],
    ["private", "group", "primary"],
    ["private", "partner", "primary"],
    ["age-restricted", "partner", "primary"],
    ["private", "age-restricted", "full-catalog"],
  ] as const)(
    "with REELAY_FULL_CATALOG=%s, of an adult in a place that is %s, is the %s one",
    (places, audience, host) => {
      expect(hostFor({ audience, adult: true }, places, both)).toBe(host);
    },
  );

  it("is the primary one in private for whoever has not said to be an adult", () => {
    expect(hostFor({ audience: "private", adult: false }, "private", both)).toBe("primary");
  });

  it.each(FULL_CATALOG_PLACES)(
    "is the primary one where no other is known, whatever is allowed (%s)",
    (places) => {
      const hosts = { primary: both.primary, "full-catalog": undefined };
      expect(hostFor({ audience: "age-restricted", adult: true }, places, hosts)).toBe("primary");
    },
  );
});
