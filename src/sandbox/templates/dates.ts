/** The day that ages count back from: a fixed one, so that the catalogues are the same every day. */
const CATALOGUE_DATE = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

/**
 * The release date (`YYYY-MM-DD`) of an entry.
 * @param age days that it had been out on the catalogue's date; negative for what came later
 */
export function releaseDate(age: number): string {
  return new Date(CATALOGUE_DATE - age * DAY).toISOString().slice(0, 10);
}

/**
 * The age of an entry, for {@link releaseDate}.
 * @param at its release, in milliseconds since 1970
 */
export function ageOf(at: number): number {
  return Math.ceil((CATALOGUE_DATE - at) / DAY);
}
