/** What a cell of a table may hold; null is an empty one. */
type Cell = string | number | null | undefined;

/** What makes a spreadsheet take words for a formula, which could fetch or send things. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180). Words that would begin a formula are marked as words, as spreadsheets do it: by an apostrophe. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(cell: Cell): string {
  const text = typeof cell === "string" && FORMULA.test(cell) ? `'${cell}` : String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
