/** Categories that the primary host's catalogues leave out (section 1, rule 5). */
const EXCLUDED_CATEGORIES: ReadonlySet<string> = new Set(["After dark"]);

/** What decides whether the primary host shows an entry. */
interface Curated {
  readonly category: string;
  readonly mature?: boolean;
}

/**
 * The entries that a host shows: the primary one leaves out mature ones and excluded categories.
 * @param full whether it is the full-catalogue host
 */
export function curated<T extends Curated>(entries: readonly T[], full: boolean): readonly T[] {
  return full
    ? entries
    : entries.filter(({ mature, category }) => !mature && !EXCLUDED_CATEGORIES.has(category));
}
