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

/**
 * Cuts one page out of a list. A page beyond its end, of a list that has shrunk since, is its last one.
 * @param size entries on a page
 */
export function pageOf<T>(all: readonly T[], wanted: number, size = PAGE_SIZE): Page<T> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(wanted, 0), pages - 1);
  return { items: all.slice(page * size, (page + 1) * size), page, pages };
}
