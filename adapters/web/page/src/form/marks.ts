/** What was marked in a picture, as a list of steps, so that each can be undone: pure. */

/** In pixels of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One step of marking. */
export type PaintMark<Image = unknown> =
  | {
      readonly kind: "stroke";
      readonly erases: boolean;
      /** The brush's diameter, in pixels of the picture. */
      readonly size: number;
      readonly points: readonly Point[];
    }
  /** A whole cell of the grid. */
  | { readonly kind: "cell"; readonly cell: number; readonly on: boolean }
  /** What another mask marks, stretched over the picture. */
  | { readonly kind: "image"; readonly image: Image }
  | { readonly kind: "invert" }
  | { readonly kind: "clear" };

/** Cells in a row and in a column of the grid. */
const SIDE = 3;

/** The cells of the grid, row by row. */
export const CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Where a cell is, in pixels of the picture; neighbours meet without a gap. */
export function boxOf(cell: number, width: number, height: number) {
  const edge = (position: number, length: number) => Math.round((position * length) / SIDE);
  const column = cell % SIDE;
  const row = Math.floor(cell / SIDE);
  const x = edge(column, width);
  const y = edge(row, height);
  return { x, y, width: edge(column + 1, width) - x, height: edge(row + 1, height) - y };
}

/** Which cells were marked as a whole; what was painted by hand does not count. */
export function cellsOf(marks: readonly PaintMark[]): readonly boolean[] {
  let cells: boolean[] = CELLS.map(() => false);
  for (const mark of marks) {
    if (mark.kind === "clear" || mark.kind === "image") cells = cells.map(() => false);
    if (mark.kind === "invert") cells = cells.map((on) => !on);
    if (mark.kind === "cell") cells[mark.cell] = mark.on;
  }
  return cells;
}
