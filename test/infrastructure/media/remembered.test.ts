import { expect, it } from "vitest";
import { Remembered } from "../../../src/infrastructure/media/remembered.ts";

/** Finds a file's name out, and counts how often. */
function finder() {
  const found: string[] = [];
  return { found, find: (name: string) => async () => (found.push(name), `fact of ${name}`) };
}

it("finds a fact out once, also for those who ask meanwhile", async () => {
  const facts = new Remembered<string>();
  const { found, find } = finder();
  const both = [facts.of("a", find("a")), facts.of("a", find("a"))];
  expect(await Promise.all(both)).toEqual(["fact of a", "fact of a"]);
  expect(await facts.of("a", find("a"))).toBe("fact of a");
  expect(await facts.of("b", find("b"))).toBe("fact of b");
  expect(found).toEqual(["a", "b"]);
});

it("does not remember what failed", async () => {
  const facts = new Remembered<string>();
  await expect(facts.of("a", () => Promise.reject(new Error("no memory")))).rejects.toThrow("no memory");
  expect(await facts.of("a", finder().find("a"))).toBe("fact of a");
});

it("holds so many, and lets go of those that nobody asked for the longest", async () => {
  const facts = new Remembered<string>(2);
  const { found, find } = finder();
  for (const name of ["a", "b", "a", "c", "a", "b", "c"]) await facts.of(name, find(name));
  expect(found).toEqual(["a", "b", "c", "b", "c"]);
});
