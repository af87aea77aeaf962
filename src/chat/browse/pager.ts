/** Entries on one page: as many as a phone shows without scrolling. */
const PAGE_SIZE = 8;

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** From 0; the nearest one there is. */
  readonly page: number;
  /** How many there are, at least 1. */
  readonly pages: number;
}

/** Cuts one page out of a list. A page beyond its end, of a list that has shrunk since, is its last one. */
export function pageOf<T>(all: readonly T[], wanted: number): Page<T> {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const page = Math.min(Math.max(wanted, 0), pages - 1);
  return { items: all.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE), page, pages };
}
