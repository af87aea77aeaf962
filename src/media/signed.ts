import type { Json } from "../chat/values.ts";

/** Makes texts that only this installation can make, to be given away in addresses. */
export interface Signer {
  /** The value with its signature, fit for a path. */
  sign(value: Json): Promise<string>;
  /** The value of a text that {@link Signer.sign} made; undefined for every other one. Compares in constant time. */
  verify(text: string): Promise<Json | undefined>;
}
