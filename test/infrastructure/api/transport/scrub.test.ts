import { expect, it } from "vitest";
import { scrub } from "../../../../src/infrastructure/api/transport/scrub.ts";

it("leaves a key out of the service's words, and pieces of it, and nothing where there was no key", () => {
  const key = "sk_live_12345678";
  expect(scrub(`invalid key ${key}`, key)).toBe("invalid key [key]");
  expect(scrub("invalid key sk_live_1234", key)).toBe("invalid key [key]");
  expect(scrub("invalid key", "")).toBe("invalid key");
});
