import type { Memory } from "../../common/memory.ts";
import { ReelayError } from "../../common/errors.ts";
import { randomBytes } from "node:crypto";
import { KnownKeys } from "./known-keys.ts";
import type { Database } from "../storage/database.ts";
import { exclusive, exclusiveStatement } from "../storage/exclusive.ts";
import { entriesIn, keyAt, memory } from "../storage/key-value.ts";
import { keyIdOf, open, openReadable, seal } from "./cipher.ts";
import { type Keyring, makeKeyring } from "./keyring.ts";
import type { Secrets } from "./secrets.ts";
import { StoredKey } from "./stored-key.ts";

const NAMESPACE = "keys";

/** So many keys are opened before others have their turn: some milliseconds. */
const OPENED = 500;

/** Where secrets are kept that all who share the database have: encrypted as keys are, and anew at each rotation. */
const sharedIn = (database: Pick<Database, "kysely">) => memory(database, "digests");
/** What digests of keys are made with. */
const DIGESTS = "secret";

/** Whose a key is; it is encrypted for them alone. */
export type KeyOwner =
  | `${string}:${string}`
  | ReturnType<typeof groupOwner>
  | ReturnType<typeof retiredOwner>
  | ReturnType<typeof webhookOwner>
  | ReturnType<typeof settingOwner>
  | ReturnType<typeof poolOwner>;

/** A group as the owner of the key that pays in it. */
export const groupOwner = (chat: string) => `group ${chat}` as const;

/** A group as the owner of a key that pays for nothing more there. */
export const retiredOwner = (chat: string, keyId: string) => `retired ${chat} ${keyId}` as const;

/** A webhook's endpoint, or a user for the callbacks of their jobs, as the owner of what signs its messages. */
export const webhookOwner = (signer: string) => `webhook ${signer}` as const;

/** A setting as the owner of the secret that stands in it. */
export const settingOwner = (setting: string) => `setting ${setting}` as const;

/** The operator's pool as the owner of one of its keys. */
export const poolOwner = (keyId: string) => `pool ${keyId}` as const;

/** What of the vault can be changed in one transaction with other rows. */
interface VaultChange {
  readonly kysely: Database["kysely"];
  readonly put: (owner: KeyOwner, key: string) => Promise<void>;
  readonly remove: (owner: KeyOwner) => Promise<void>;
}

/** How many stored keys a rotation rewrote, and how many it could not read and left as they are. */
export interface Rotation {
  readonly rewritten: number;
  readonly unreadable: number;
}

/**
 * People's and groups' service keys, and what signs webhooks, encrypted: each is bound to its owner and opens for
 * nobody else.
 *
 * Writing happens under a lock of the database, with the secrets read inside it. So a rotation, which
 * holds that lock while it rewrites, misses no key that another process stores meanwhile, and after it
 * nobody writes under an old secret.
 */
export class Vault {
  readonly #database: Pick<Database, "kysely" | "reads">;
  readonly #secrets: Secrets;
  readonly #stretch: typeof makeKeyring;
  /** Recognises what is stored here among words. */
  readonly known: KnownKeys;
  #digesting: Promise<string> | undefined;
  #ring: { readonly secrets: string; readonly keys: Keyring } | undefined;

  /** @param stretch makes the ring of secrets: what makes it remembers, where one process opens many vaults under one secret */
  constructor(database: Pick<Database, "kysely" | "reads">, secrets: Secrets, stretch = makeKeyring) {
    this.#database = database;
    this.#secrets = secrets;
    this.#stretch = stretch;
    this.known = new KnownKeys(database, () => this.#digestSecret());
  }

  /** Stores somebody's key in place of the one before. */
  async put(owner: KeyOwner, key: string): Promise<void> {
    await this.known.ready();
    await this.#alone(async (kysely) => {
      const ring = await this.#reload();
      await memory({ kysely }, NAMESPACE).set(owner, seal(ring, owner, key));
      if (isForService(owner)) await this.known.keep(owner, key, { kysely });
    });
  }

  /** Changes several keys, and whatever else is to change with them: all of it is kept, or nothing. */
  async change<T>(work: (change: VaultChange) => Promise<T>): Promise<T> {
    return this.#alone(async (kysely) => {
      const ring = await this.#reload();
      const keys = memory({ kysely }, NAMESPACE);
      return work({
        kysely,
        put: (owner, key) => keys.set(owner, seal(ring, owner, key)),
        remove: (owner) => keys.delete(owner),
      });
    });
  }

  /** Makes every stored key known that an earlier version stored. */
  async knowStored(): Promise<void> {
    await this.known.ready();
    for (const [name] of await memory(this.#database, NAMESPACE).entries<string>()) {
      const owner = name as KeyOwner;
      if (!isForService(owner) || (await this.known.knowsOf(owner))) continue;
      const key = await this.getReadable(owner);
      if (key) await this.known.keep(owner, key.reveal());
    }
  }

  /**
   * Gives a stored key, if there is one, to another owner.
   * @throws ReelayError `key_unreadable` as {@link get}
   */
  async move(from: KeyOwner, to: KeyOwner): Promise<void> {
    await this.known.ready();
    await this.#alone(async (kysely) => {
      const ring = await this.#reload();
      const keys = memory({ kysely }, NAMESPACE);
      const envelope = await keys.get<string>(from);
      if (envelope === undefined) return;
      const key = open(ring, from, envelope);
      await keys.set(to, seal(ring, to, key));
      await keys.delete(from);
      await this.known.release(from, { kysely });
      await this.known.keep(to, key, { kysely });
    });
  }

  /** The keys that pay for nothing more. */
  async retired(): Promise<{ readonly chat: string; readonly keyId: string }[]> {
    const entries = await memory(this.#database, NAMESPACE).entries<string>();
    return entries.flatMap(([owner]) => {
      const [kind, chat, keyId = ""] = owner.split(" ");
      return kind === "retired" && chat ? [{ chat, keyId }] : [];
    });
  }

  /**
   * Somebody's key, undefined if none is stored.
   * @throws ReelayError `key_unreadable` when it was stored under a secret that is gone, or tampered with
   */
  async get(owner: KeyOwner): Promise<StoredKey | undefined> {
    const keys = memory(this.#database, NAMESPACE);
    let envelope = await keys.get<string>(owner);
    if (envelope === undefined) return undefined;
    let ring = this.#ring?.keys ?? (await this.#reload());
    if (!ring.keys.has(keyIdOf(envelope))) {
      // Rotated by another process: the new secrets open what is stored now.
      ring = await this.#reload();
      envelope = await memory({ kysely: this.#database.kysely }, NAMESPACE).get<string>(owner);
    }
    if (envelope === undefined) return undefined;
    const key = open(ring, owner, envelope);
    return new StoredKey(key);
  }

  /** Whether somebody's key is stored, readable or not. */
  async has(owner: KeyOwner): Promise<boolean> {
    return (await memory(this.#database, NAMESPACE).get<string>(owner)) !== undefined;
  }

  /** Somebody's key where it can be read: one that cannot is of no use to anybody. */
  async getReadable(owner: KeyOwner): Promise<StoredKey | undefined> {
    return this.get(owner).catch((error: unknown) => {
      if (error instanceof ReelayError && error.code === "key_unreadable") return undefined;
      throw error;
    });
  }

  /** How many stored keys none of the secrets opens; each stretch under the lock, as a rotation rewrites them meanwhile. */
  async countUnreadable(): Promise<number> {
    const { stretches } = await import("../storage/stretches.ts");
    const keyBefore = (before: string | undefined, after: number) =>
      keyAt(this.#database, NAMESPACE, before, after);
    let count = 0;
    for await (const stretch of stretches(keyBefore, OPENED))
      count += await this.#alone(async (kysely) => {
        const ring = await this.#reload();
        const some = await entriesIn<string>({ kysely }, NAMESPACE, stretch);
        return some.filter(([owner, envelope]) => openReadable(ring, owner, envelope) === undefined).length;
      });
    return count;
  }

  /** Forgets somebody's key. */
  async remove(owner: KeyOwner): Promise<void> {
    // A rotation that has read it would write it again.
    await exclusiveStatement(this.#database.kysely, ["vault"], (kysely) =>
      memory({ kysely }, NAMESPACE).delete(owner),
    );
    await this.known.release(owner);
  }

  /**
   * A store whose values are encrypted as keys are, each bound to its entry. What was written under a secret
   * that is gone reads as not there. Null stands for what is over, and is all that is left of it: there is nothing to encrypt.
   * @param name keeps the entries of different stores from being exchanged
   */
  sealed(store: Memory, name: string): Memory {
    const read = async <T>(key: string, envelope: string | null): Promise<T | undefined> => {
      if (envelope === null) return null as T;
      const known = this.#ring?.keys;
      const ring = known?.keys.has(keyIdOf(envelope)) ? known : await this.#reload();
      const value = openReadable(ring, `${name} ${key}`, envelope);
      return value === undefined ? undefined : (JSON.parse(value) as T);
    };
    const sealing = async (key: string, value: unknown) => {
      if (value === null) return null;
      const ring = this.#ring?.keys ?? (await this.#reload());
      return seal(ring, `${name} ${key}`, JSON.stringify(value));
    };
    return {
      async get<T>(key: string) {
        const envelope = await store.get<string | null>(key);
        return envelope === undefined ? undefined : read<T>(key, envelope);
      },
      set: async (key, value, ttlMs) => {
        await store.set(key, await sealing(key, value), ttlMs);
      },
      add: async (key, value, ttlMs) => store.add(key, await sealing(key, value), ttlMs),
      delete: (key) => store.delete(key),
      keep: (write) => store.keep(write),
      async entries<T>(prefix?: string) {
        const all = await store.entries<string | null>(prefix);
        const opened = await Promise.all(
          all.map(async ([key, envelope]) => [key, await read<T>(key, envelope)] as const),
        );
        return opened.flatMap(([key, value]): [string, T][] => (value === undefined ? [] : [[key, value]]));
      },
    };
  }

  /**
   * Makes a new secret where the secrets are in a file, encrypts every stored key under the newest one, then
   * drops the older ones. Killed at any point, it leaves every key readable and can be run again. Processes
   * that run meanwhile go on; with `REELAY_SECRET` they must know the new secret already.
   */
  async rotate(): Promise<Rotation> {
    const rotation = await this.#alone(async (kysely) => {
      await this.#secrets.renew();
      return this.#rewrite({ kysely });
    });
    // Only now are the rewritten keys on disk. Keys that a second rotation was killed over may still need the
    // older secrets.
    await this.#alone(async (kysely) => {
      const left = await this.#rewrite({ kysely });
      if (left.rewritten === 0) await this.#secrets.retire();
    });
    return rotation;
  }

  async #rewrite(database: Pick<Database, "kysely">): Promise<Rotation> {
    const ring = await this.#reload();
    const keys = memory(database, NAMESPACE);
    const count = { rewritten: 0, unreadable: 0 };
    for (const [owner, envelope] of await keys.entries<string>()) {
      if (keyIdOf(envelope) === ring.newest.id) continue;
      const key = openReadable(ring, owner, envelope);
      if (key !== undefined) await keys.set(owner, seal(ring, owner, key));
      count[key === undefined ? "unreadable" : "rewritten"] += 1;
    }
    await rewriteShared(sharedIn(database), ring);
    return count;
  }

  /** A secret of this name that all who share the database have, made when it is first asked for. */
  shared(name: string): Promise<string> {
    return this.#alone((kysely) => this.#sharedNamed(name, kysely));
  }

  /** Whether its secrets open what is kept: where nothing is yet, what will be kept is theirs from now on. */
  fits(): Promise<boolean> {
    return this.#alone(async (kysely) => {
      const envelope = await sharedIn({ kysely }).get<string>(DIGESTS);
      if (envelope === undefined) await this.#sharedNamed(DIGESTS, kysely);
      return envelope === undefined || (await this.#reload()).keys.has(keyIdOf(envelope));
    });
  }

  /** Made once for an installation. One that cannot be read any more is made anew: so is whatever it stood for. */
  #digestSecret(): Promise<string> {
    this.#digesting ??= this.#readDigestSecret().catch((error: unknown) => {
      this.#digesting = undefined;
      throw error;
    });
    return this.#digesting;
  }

  async #readDigestSecret(): Promise<string> {
    return this.#alone((kysely) =>
      this.#sharedNamed(DIGESTS, kysely, () => kysely.deleteFrom("known_keys").execute()),
    );
  }

  /** @param madeAnew what is to be done where there was none, or none that can be read */
  async #sharedNamed(
    name: string,
    kysely: Database["kysely"],
    madeAnew?: () => Promise<unknown>,
  ): Promise<string> {
    const ring = await this.#reload();
    const kept = sharedIn({ kysely });
    const envelope = await kept.get<string>(name);
    if (envelope !== undefined && ring.keys.has(keyIdOf(envelope))) return open(ring, name, envelope);
    const made = randomBytes(32).toString("base64url");
    await kept.set(name, seal(ring, name, made));
    await madeAnew?.();
    return made;
  }

  #alone<T>(work: Parameters<typeof exclusive<T>>[2]): Promise<T> {
    return exclusive(this.#database.kysely, ["vault"], work);
  }

  async #reload(): Promise<Keyring> {
    const list = await this.#secrets.read();
    const secrets = list.join("\n");
    // Deriving keys is slow on purpose: only when the secrets have changed.
    this.#ring = this.#ring?.secrets === secrets ? this.#ring : { secrets, keys: this.#stretch(list) };
    return this.#ring.keys;
  }
}

/** What else is kept here signs webhooks, or stands in settings, which whoever uses them makes known. */
const isForService = (owner: string) => !/^(?:webhook|setting) /.test(owner);

/** One that cannot be read is made anew by whoever needs it. */
async function rewriteShared(kept: Memory, ring: Keyring): Promise<void> {
  for (const [name, envelope] of await kept.entries<string>()) {
    const id = keyIdOf(envelope);
    if (id === ring.newest.id || !ring.keys.has(id)) continue;
    await kept.set(name, seal(ring, name, open(ring, name, envelope)));
  }
}
