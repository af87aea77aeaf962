import { readFileSync } from "node:fs";
import { translator } from "../../src/common/i18n.ts";
import { OPERATIONS } from "../../src/domain/operations/registry.ts";

/** The page that lists what can be made. */
export const README = new URL("../../README.md", import.meta.url);
const [BEGIN, END] = ["<!-- what it makes: npm run docs -->", "<!-- the end of what it makes -->"] as const;

/** The page with the operations as they are today; the formatter lines its columns up. */
export function readme(): string {
  const page = readFileSync(README, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const say = translator("en");
  const rows = OPERATIONS.map(
    ({ id, description, subscription }) =>
      `| \`${id}\` | ${say(description)} | ${subscription === "pro" ? "Pro" : ""} |`,
  );
  const table = ["| operation | what it does | needs |", "| --- | --- | --- |", ...rows].join("\n");
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ""}`;
}
