import { expect, it } from "vitest";
import { mutantsOf } from "../tools/mutants/mutants.ts";

it("knows each change that is listed as none: `npm run mutants` ends before it begins where one is there no more", () => {
  const mutants = mutantsOf();
  expect(mutants.length).toBeGreaterThan(1_000);
  expect(mutants.filter(({ reason }) => reason !== undefined).length).toBeGreaterThan(10);
});
