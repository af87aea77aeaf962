// Standard Webhooks, verified without a package: https://www.standardwebhooks.com
import { createHmac, timingSafeEqual } from "node:crypto";

/** How old a message may be, in seconds: an older one may be a copy that somebody sends again. */
const TOLERANCE = 5 * 60;

/** Takes the place of the class of that name in the package `standardwebhooks`. */
export class Webhook {
  #key;

  /** @param secret `whsec_` and base64 */
  constructor(secret) {
    this.#key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    if (this.#key.length === 0) throw new Error("There is no secret.");
  }

  /** The message, if it was signed with the secret. While a secret takes another's place there are two signatures. */
  verify(body, { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures = "" }) {
    const expected = createHmac("sha256", this.#key).update(`${id}.${at}.${body}`).digest();
    const signed = signatures.split(" ").some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    const age = Math.abs(Date.now() / 1000 - Number(at));
    if (!signed || !(age <= TOLERANCE))
      throw new Error("This message was not signed with the secret just now.");
    return JSON.parse(body);
  }
}
