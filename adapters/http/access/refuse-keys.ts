import type { Json } from "../../../src/common/json.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { KeyWatch } from "../../../src/seam/access/keys.ts";
import { WrongFields } from "./problem.ts";

/**
 * The error as it may be told: where it would say a key again that is known here, only that one was there. While what is
 * known cannot be asked, keys are gone by their looks alone, as from every error.
 */
export async function withoutKeys(
  intake: () => Pick<Intake, "keys">,
  error: ReelayError,
): Promise<ReelayError> {
  const fields = error instanceof WrongFields ? error.fields.map(({ field }) => field) : [];
  const given = [...Object.values(error.params), ...fields];
  if (given.length === 0) return error;
  try {
    await intake().keys.refuseKnown(given);
    return error;
  } catch (found) {
    const isKey = found instanceof ReelayError && found.code === "key_in_words";
    return isKey ? new ReelayError("key_in_words") : error;
  }
}

/**
 * Refuses a part of a request that holds a key that is known.
 * @throws WrongFields `key_in_words` with the place in the request, never with the key
 */
export async function refuseKeys(
  keys: Pick<KeyWatch, "refuseKnown">,
  given: { readonly [name: string]: Json },
): Promise<void> {
  try {
    await keys.refuseKnown(given);
  } catch (error) {
    if (!(error instanceof ReelayError) || error.code !== "key_in_words") throw error;
    const { code, params } = error;
    const field = String(params["field"] ?? "body");
    throw new WrongFields([{ field, code, params: { field } }]);
  }
}
