import { readFileSync } from "node:fs";
import { LINES } from "../../adapters/cli/json/lines.ts";

/** Where the lines of JSON are told. */
export const COMMAND_LINE_PAGE = new URL("../../docs/command-line.md", import.meta.url);
const [BEGIN, END] = [
  "<!-- the lines of JSON: npm run docs -->",
  "<!-- the end of the lines of JSON -->",
] as const;

/** The page with the lines as they are today; the formatter lines its columns up. */
export function commandLinePage(): string {
  const page = readFileSync(COMMAND_LINE_PAGE, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const rows = LINES.map((line) => {
    const { version: _, event, ...fields } = line.shape;
    return `| \`${event.value}\` | ${line.meta()?.description} | ${Object.keys(fields)
      .map((name) => `\`${name}\``)
      .join(", ")} |`;
  });
  const table = ["| `event` | what it says | its fields |", "| --- | --- | --- |", ...rows].join("\n");
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ""}`;
}
