import { ReelayError } from "../common/errors.ts";
import { nearest } from "./nearest.ts";

/**
 * What is said of an operation that there is not: with the name that was probably meant; where none is near, with all.
 * @param names of the operations that there are
 */
export function unknownOperation(name: string, names: readonly string[]): ReelayError {
  const wanted = nearest(name.toLowerCase(), names) ?? names.join(", ");
  return new ReelayError("unknown_operation", { name, wanted });
}
