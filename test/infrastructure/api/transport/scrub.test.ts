import { expect, it } from "vitest";
import { brief, scrub } from "../../../../src/infrastructure/api/transport/scrub.ts";

it("leaves a key out of the service's words, and pieces of it, and nothing where there was no key", () => {
  const key = "sk_live_12345678";
  expect(scrub(`invalid key ${key}`, key)).toBe("invalid key [key]");
  expect(scrub("invalid key sk_live_1234", key)).toBe("invalid key [key]");
  expect(scrub("invalid key", "")).toBe("invalid key");
});

it("cuts the service's words without half a character at the end, or anywhere", () => {
  expect(scrub(`${"ab ".repeat(99)}ab👻`, "")).toBe(`${"ab ".repeat(99)}ab`);
  expect(scrub("a\ud83d b", "")).toBe("a\ufffd b");
  expect(brief("abc👻def", 5)).toBe("abc…");
});
