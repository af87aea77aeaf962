import { createHash, createSecretKey, scryptSync, type KeyObject } from "node:crypto";

/** A key that encrypts, and the id that envelopes name it by. */
interface RingKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The newest encrypts, all decrypt. */
export interface Keyring {
  readonly newest: RingKey;
  /** By id. */
  readonly keys: ReadonlyMap<string, RingKey>;
}

/**
 * Makes the ring of some secrets. They may be words that somebody chose, so each is stretched by scrypt: some
 * tens of milliseconds a secret.
 * @param secrets newest first, at least one
 */
export function makeKeyring(secrets: readonly string[]): Keyring {
  const keys = secrets.map((secret) => {
    const bytes = scryptSync(secret, "reelay vault", 32);
    return {
      id: createHash("sha256").update(bytes).digest("hex").slice(0, 8),
      key: createSecretKey(bytes),
    };
  });
  const [newest] = keys;
  if (!newest) throw new Error("a keyring needs a secret");
  return { newest, keys: new Map(keys.map((key) => [key.id, key])) };
}
