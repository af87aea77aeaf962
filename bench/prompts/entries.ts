import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../src/domain/policy/rules/", import.meta.url);

/** The lists of a language. */
type Lists = Readonly<Record<string, readonly string[]>>;

/** The lists of every language, by its code. */
export const RULES: ReadonlyMap<string, Lists> = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json"))
    .map((file) => [
      file.replace(".json", ""),
      JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Lists,
    ]),
);

/** The ways to say an entry: every alternative of a word once, the first of each other; without gaps, 15 for a number. */
export function waysToSay(entry: string): string[] {
  const slots = entry
    .split(" ")
    .filter((slot) => slot !== "~")
    .map((slot) => (slot === "#" ? ["15"] : slot.replaceAll("*", "").split("|")));
  const most = Math.max(...slots.map((words) => words.length));
  return Array.from({ length: most }, (_, turn) =>
    slots.map((words) => words[turn % words.length] ?? "").join(" "),
  );
}
