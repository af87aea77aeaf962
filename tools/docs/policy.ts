import { readFileSync } from "node:fs";
import { decide, type Decision } from "../../src/domain/policy/decision.ts";
import { DEFAULTS, type Row, USUAL } from "./situation.ts";
import { CHAPTERS } from "./situations.ts";

/** The page that the table stands on. */
export const POLICY_PAGE = new URL("../../src/domain/policy/README.md", import.meta.url);
const [BEGIN, END] = ["<!-- the table: npm run docs -->", "<!-- the end of the table -->"];

/** What the code decides about a row, as the rows are written. */
export function decided({ situation, rules }: Row): string {
  return written(decide({ ...USUAL, ...situation }, { ...DEFAULTS, ...rules }));
}

function written(decision: Decision): string {
  if (decision.kind === "allow") return "allow";
  return decision.kind === "ask" ? `ask ${decision.statement}` : `refuse ${decision.code}`;
}

/** The page with the table as it is today. */
export function policyPage(): string {
  const page = readFileSync(POLICY_PAGE, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? "";
  return `${before}${BEGIN}\n\n${CHAPTERS.map(chapterText).join("\n")}\n${END}${after}`;
}

function chapterText({ title, rows }: (typeof CHAPTERS)[number]): string {
  const cells = rows.map((row) => [row.title, shown(decided(row))] as const);
  const widths = [0, 1].map((column) =>
    Math.max(
      ...cells.map((cell) => (cell[column] ?? "").length),
      ["situation", "decision"][column]?.length ?? 0,
    ),
  );
  const line = (...texts: readonly string[]) =>
    `| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [
    `### ${title}`,
    "",
    line("situation", "decision"),
    rule,
    ...cells.map((cell) => line(...cell)),
    "",
  ].join("\n");
}

/** A decision in the words of the page. */
function shown(decision: string): string {
  const [kind, what] = decision.split(" ");
  return kind === "allow" ? "allowed" : kind === "ask" ? `asked first: \`${what}\`` : `refused: \`${what}\``;
}
