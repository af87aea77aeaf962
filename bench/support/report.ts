/** One measured part of the results, in Markdown. */
export interface Section {
  readonly title: string;
  /** What was measured, how, and the tables. */
  readonly text: string;
}

/** A Markdown table; the first column holds names, the others figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * The value below which a share of the values lies.
 * @param share 0 to 1
 * @returns NaN without values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The value in the middle. */
export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The arithmetic mean, NaN without values. */
export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A share of one as a percentage; a dash where there is none. */
export const percent = (share: number) => (Number.isNaN(share) ? "–" : `${(100 * share).toFixed(1)} %`);

/** Says on the terminal what is going on. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
