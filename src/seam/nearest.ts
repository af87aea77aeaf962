import { closest, distance } from "fastest-levenshtein";

/**
 * The name that was probably meant by one that there is not; undefined where none is near.
 * @param slip how many letters may be wrong: as many as a slip of the fingers makes
 */
export function nearest(typed: string, names: readonly string[], slip = 3): string | undefined {
  if (names.length === 0) return undefined;
  const best = closest(typed, names);
  return distance(best, typed) <= slip ? best : undefined;
}
