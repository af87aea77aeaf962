import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { KeyWatch } from "../../../src/seam/access/keys.ts";
import { WrongFields } from "./problem.ts";

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
