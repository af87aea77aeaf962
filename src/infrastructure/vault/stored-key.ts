import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { scrub } from "../telemetry/telemetry.ts";

/** A service key that does not show itself: neither printed, nor logged, nor turned into JSON. */
export class StoredKey {
  readonly #key: string;
  /** Tells keys apart without showing any; the same for the same key, always. 16 hexadecimal digits. */
  readonly fingerprint: string;

  /** The log leaves it out as long as it is used. */
  constructor(key: string) {
    scrub.registerBriefly(key);
    this.#key = key;
    this.fingerprint = createHash("sha256").update(key).digest("hex").slice(0, 16);
  }

  /** The key itself: for the `X-API-Key` header (section 5) and nothing else. */
  reveal(): string {
    scrub.registerBriefly(this.#key);
    return this.#key;
  }

  toString(): string {
    return `[key ${this.fingerprint}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
