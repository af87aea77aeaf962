/**
 * Rows under each other, indented.
 * @param numbersFrom the first of the columns that hold numbers
 */
export function columns(rows: readonly (readonly string[])[], numbersFrom = Infinity): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const fill = (cell: string, index: number) =>
    index < numbersFrom ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
  return rows.map((row) => `  ${row.map(fill).join("  ")}`.trimEnd());
}
