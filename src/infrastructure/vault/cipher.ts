import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { ReelayError } from "../../common/errors.ts";
import type { Keyring } from "./keyring.ts";

const ALGORITHM = "aes-256-gcm";
const VERSION = "1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a service key for its owner.
 * @returns the envelope: version, key id, initialisation vector, tag and data, joined by dots
 */
export function seal(ring: Keyring, owner: string, plaintext: string): string {
  const { id, key } = ring.newest;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  cipher.setAAD(associatedData(id, owner));
  const data = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return [VERSION, id, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

/**
 * Decrypts an envelope.
 * @throws ReelayError `key_unreadable` when it was changed, belongs to somebody else or is under a key that
 *   the ring does not have
 */
export function open(ring: Keyring, owner: string, envelope: string): string {
  const [version, id = "", ...rest] = envelope.split(".");
  const parts = rest.map((part) => Buffer.from(part, "base64url"));
  const [iv, tag, data] = parts;
  const key = ring.keys.get(id)?.key;
  // Node skips what is no base64, so that the parts must be what encoding them gives again.
  const exact = parts.length === 3 && parts.every((part, i) => part.toString("base64url") === rest[i]);
  if (version !== VERSION || !key || !iv || !tag || !data || !exact) throw new ReelayError("key_unreadable");
  try {
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(id, owner));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new ReelayError("key_unreadable", {}, { cause });
  }
}

/** What an envelope holds, undefined where {@link open} throws. */
export function openReadable(ring: Keyring, owner: string, envelope: string): string | undefined {
  try {
    return open(ring, owner, envelope);
  } catch (error) {
    if (error instanceof ReelayError) return undefined;
    throw error;
  }
}

/** The id of the key that an envelope is under, "" where it names none. */
export function keyIdOf(envelope: string): string {
  return envelope.split(".")[1] ?? "";
}

/** What an envelope is bound to besides the key: copied to another owner, it does not open. */
function associatedData(id: string, owner: string): Buffer {
  return Buffer.from(JSON.stringify(["reelay service key", VERSION, id, owner]));
}
