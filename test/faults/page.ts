import { STEPS } from "./cells.ts";
import { FOLDER_FAULTS } from "../support/failing-folder.ts";
import { FOLDER_STEPS } from "./data-folder.ts";
import type { Deletion } from "./deletion.ts";
import type { Outcome } from "./trial.ts";

/** What the table tells of a trial. */
type Told = Pick<Outcome | Deletion, "meanwhile" | "end" | "charged">;

/** A trial and what came of it. */
export interface Row {
  readonly step: string;
  readonly fault: string;
  readonly lasts: boolean;
  readonly outcome: Told;
}

const HEAD = `# What goes wrong, and what comes of it

Each fault was made to happen in each step of a video's life, by the sandbox: once, and until it was mended, which is what
"lasting" tells of. Nothing is charged twice, and what was charged is delivered or told of. A deletion costs nothing; what
stands there was charged for the video. Last, what Reelay keeps its jobs in fails while it makes one: it may be locked, or the
disk under it fail to keep what is written. \`npm test\` tries all of it; \`npm run docs:faults\` writes this page anew.
`;

/** The chapter on what Reelay itself keeps. */
export const FOLDER_CHAPTER = "Reelay's own data folder";

interface Chapter {
  readonly title: string;
  readonly faults: readonly string[];
}

const CHAPTERS: readonly Chapter[] = [
  ...STEPS.map(({ title, faults }) => ({ title, faults: faults.map((fault) => fault.title) })),
  {
    title: FOLDER_CHAPTER,
    faults: FOLDER_STEPS.flatMap(({ title }) => FOLDER_FAULTS.map((fault) => `${title}: ${fault}`)),
  },
];

/**
 * The table that a person can read.
 * @param before as it was: what shows for a moment only may be missed on a busy machine, and stays
 */
export function faultPage(rows: readonly Row[], before: string): string {
  const chapters = before.split(/^(?=## )/m);
  return [HEAD, ...CHAPTERS.map((one) => chapter(one, rows, chapters))].join("\n");
}

function chapter(
  { title: step, faults: all }: Chapter,
  rows: readonly Row[],
  chapters: readonly string[],
): string {
  const title = `## ${step[0]?.toUpperCase()}${step.slice(1)}\n`;
  const before = chapters.find((one) => one.startsWith(title))?.split("\n") ?? [];
  const own = rows.filter((row) => row.step === step);
  const faults = [...new Set(all)];
  const lines = faults.map((fault) => {
    const [once, lasting] = [false, true].map((lasts) =>
      own.find((r) => r.fault === fault && r.lasts === lasts),
    );
    // The first is the fault, the second what came of it once.
    const [, , known = ""] = before.find((row) => row.startsWith(`| ${fault} | `))?.split(" | ") ?? [];
    const seen = meanwhile(lasting?.outcome, known.trim());
    return line([fault, told(once?.outcome), seen, told(lasting?.outcome)]);
  });
  const head = line(["what goes wrong", "once: in the end", "lasting: meanwhile", "lasting: in the end"]);
  return [title, head, line(["---", "---", "---", "---"]), ...lines, ""].join("\n");
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function meanwhile(outcome: Told | undefined, known: string): string {
  const seen = outcome?.meanwhile ?? "";
  return seen.split(" / ").every((one) => one === "" || known.split(" / ").includes(one)) ? known : seen;
}

function told(outcome: Told | undefined): string {
  if (!outcome) return "";
  return `${outcome.end} (${outcome.charged === 0 ? "nothing charged" : "charged once"})`;
}
