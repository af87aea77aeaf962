import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { SharedMemory } from "../../../common/memory.ts";
import type { Json } from "../../../common/json.ts";

/** Makes texts that only this installation can make, to be given away in addresses. */
export interface Signer {
  /** The value with its signature: `<value>.<signature>`, both in letters that a path may hold. */
  sign(value: Json): Promise<string>;
  /** The value of a text that {@link Signer.sign} made; undefined for every other one. Compares in constant time. */
  verify(text: string): Promise<Json | undefined>;
}

const KEY = "key";

/** Signs with HMAC-SHA256. The key is made once and kept: what was signed stays valid over restarts. */
export function makeSigner(memory: Pick<SharedMemory, "once">): Signer {
  const signatureOf = async (text: string) =>
    createHmac("sha256", await memory.once(KEY, () => randomBytes(32).toString("hex")))
      .update(text)
      .digest("base64url");

  return {
    async sign(value) {
      const text = Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${text}.${await signatureOf(text)}`;
    },

    async verify(text) {
      const point = text.lastIndexOf(".");
      const value = text.slice(0, Math.max(point, 0));
      const wanted = Buffer.from(await signatureOf(value));
      const given = Buffer.from(text.slice(point + 1));
      if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined;
      return JSON.parse(Buffer.from(value, "base64url").toString()) as Json;
    },
  };
}
