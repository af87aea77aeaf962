import { readFileSync } from "node:fs";
import { LIBERTIES } from "../../src/sandbox/liberties/table.ts";

/** The page that tells what a seed draws. */
export const SANDBOX_PAGE = new URL("../../src/sandbox/README.md", import.meta.url);
const [BEGIN, END] = [
  "<!-- what a seed draws: npm run docs -->",
  "<!-- the end of what a seed draws -->",
] as const;

/** The page with the questions as they are today; the formatter lines its columns up. */
export function sandboxPage(): string {
  const page = readFileSync(SANDBOX_PAGE, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const rows = Object.entries(LIBERTIES).map(
    ([name, { section, question, choices }]) =>
      `| \`${name}\` | ${section} | ${question} | ${Object.values(choices).join("; or: ")} |`,
  );
  const table = [
    "| name | section | question | answers, the usual one first |",
    "| --- | --- | --- | --- |",
    ...rows,
  ];
  return `${before}${BEGIN}\n\n${table.join("\n")}\n\n${END}${rest.split(END)[1] ?? ""}`;
}
