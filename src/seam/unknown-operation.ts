import { closest, distance } from "fastest-levenshtein";
import { ReelayError } from "../common/errors.ts";

/** As many wrong letters as a slip of the fingers makes. */
const SLIP = 3;

/**
 * What is said of an operation that there is not: with the name that was probably meant; where none is near, with all.
 * @param names of the operations that there are
 */
export function unknownOperation(name: string, names: readonly string[]): ReelayError {
  const typed = name.toLowerCase();
  const best = names.length > 0 ? closest(typed, names) : "";
  const wanted = distance(best, typed) <= SLIP ? best : names.join(", ");
  return new ReelayError("unknown_operation", { name, wanted });
}
