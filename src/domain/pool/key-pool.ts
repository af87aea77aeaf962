import { OWN_KEY } from "../../seam/access/key-pool.ts";
import { currentTime, steady } from "../../common/time.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { StoredKey } from "../../infrastructure/vault/stored-key.ts";
import { poolOwner, type Vault } from "../../infrastructure/vault/vault.ts";
import { afterLeaving, afterLook, type KeptKey, type LeftBecause } from "./kept-key.ts";

const NAMESPACE = "operator-keys";

/** Where keys are kept in a transaction, each under its fingerprint. */
export const keysWithin = (kysely: Database["kysely"]) => memory({ kysely }, NAMESPACE);

/** Whether whoever runs Reelay has added a key of theirs for a service, by its address. */
export async function hasAddedKeys({ kysely }: Pick<Database, "kysely">, service: string): Promise<boolean> {
  const rows = await keysWithin(kysely).entries<KeptKey>();
  return rows.some(([, row]) => row.name !== OWN_KEY && row.service === service && row.state !== "removed");
}

/** For how long what was read is believed, in milliseconds: other processes change it, too. */
const FRESH_MS = 1_000;

/** For so long a key that was removed may still be in the mind of a process that asks for a job with it, in milliseconds. */
const REMOVED_MS = 60_000;

/** A key of the pool. */
export interface ListedKey extends KeptKey {
  readonly id: string;
  /** Undefined: it cannot be read any more. */
  readonly key: StoredKey | undefined;
}

/** One that can be used here. */
export interface PoolKey extends ListedKey {
  readonly key: StoredKey;
}

/** What a pool stands on. */
export interface KeyPoolParts {
  readonly database: Database;
  readonly vault: Pick<Vault, "change" | "getReadable" | "known">;
  /** The key of the environment, or of the sandbox, where there is one. */
  readonly own: StoredKey | undefined;
  /** The service's address. */
  readonly service: string;
  readonly log: Logger;
}

/** What is known of the key of the environment before anything was said of it. */
const OWN = { name: OWN_KEY, state: "in", weight: 1, tier: null, left: null, account: null } as const;

/**
 * The operator's keys, of all processes: which there are, and which take jobs. That of the environment is one of them; one is a pool of
 * one. What one process finds out about a key the others know within {@link FRESH_MS}.
 */
export class KeyPool {
  readonly #parts: KeyPoolParts;
  readonly #store: ReturnType<typeof memory>;
  readonly #opened = new Map<string, StoredKey>();
  #known: { readonly at: number; readonly rows: Promise<ReadonlyMap<string, KeptKey>> } | undefined;

  constructor(parts: KeyPoolParts) {
    this.#parts = parts;
    this.#store = memory(parts.database, NAMESPACE);
  }

  /** The keys that can be used here, in the order of {@link listed}. */
  async all(): Promise<readonly PoolKey[]> {
    return (await this.listed()).filter((one): one is PoolKey => one.key !== undefined);
  }

  /** The one of the environment first, then as they are called; those, too, that cannot be read any more. */
  async listed(): Promise<readonly ListedKey[]> {
    const { own, service } = this.#parts;
    const rows = await this.#rows();
    const keys: ListedKey[] = own
      ? [{ ...(rows.get(own.fingerprint) ?? this.#fresh()), id: own.fingerprint, key: own }]
      : [];
    const others = [...rows].filter(([id, row]) => id !== own?.fingerprint && row.service === service);
    for (const [id, row] of others.toSorted(([, a], [, b]) => (a.name < b.name ? -1 : 1))) {
      const key = await this.#open(id);
      // Of one that stood in the environment before, nothing but the row was ever kept.
      if (key || row.name !== OWN_KEY) keys.push({ ...row, id, key });
    }
    return keys;
  }

  /** Whether a key is, or was, one of the operator's as long as jobs know it. */
  async has(id: string): Promise<boolean> {
    return id === this.#parts.own?.fingerprint || (await this.#rows()).has(id);
  }

  /** Has jobs be known as the operator's that are asked for with the key of the environment, should another one stand there later. */
  async noteOwn(): Promise<void> {
    const { own } = this.#parts;
    if (own && !(await this.#rows()).has(own.fingerprint)) await this.#change(own.fingerprint, (row) => row);
  }

  /** A key takes no jobs from now on, because the service turned it down. @param left tokens that it had */
  async leave(id: string, because: LeftBecause, left: number | null = null): Promise<void> {
    const changed = await this.#change(id, (row) => afterLeaving(row, because, left, currentTime()));
    if (changed) this.#parts.log.warn({ key: changed.name, because }, "A key left the operator's pool");
  }

  /** Notes that the service takes a key: one that had left for that comes back. @param tokens what it has; null: not said */
  async looked(id: string, tokens: number | null): Promise<void> {
    const rows = await this.#rows();
    const row = rows.get(id);
    if (!row || afterLook(row, tokens, 0) === row || isReplaced(id, row, rows)) return;
    const changed = await this.#change(id, (before) => afterLook(before, tokens, currentTime()));
    if (changed?.state === "in") this.#parts.log.info({ key: changed.name }, "A key is back in the pool");
  }

  /** Keys that were removed so long ago that no process asks for anything with them any more. */
  async removed(): Promise<readonly string[]> {
    const now = currentTime();
    return [...(await this.#rows())].flatMap(([id, { state, since }]) =>
      state === "removed" && now - since >= REMOVED_MS ? [id] : [],
    );
  }

  /** Forgets a key that was removed and that nothing needs any more; one that was taken back meanwhile stays. */
  async erase(id: string): Promise<void> {
    const owner = poolOwner(id);
    await this.#parts.vault.change(async ({ kysely, remove }) => {
      const rows = keysWithin(kysely);
      if ((await rows.get<KeptKey>(id))?.state !== "removed") return;
      await rows.delete(id);
      await remove(owner);
      await this.#parts.vault.known.release(owner, { kysely });
    });
    this.forget();
  }

  /** What was read is read anew. */
  forget(): void {
    this.#known = undefined;
  }

  /** @returns the key, where that changed it */
  async #change(id: string, change: (before: KeptKey) => KeptKey): Promise<KeptKey | undefined> {
    let changed: KeptKey | undefined;
    await this.#store.change<KeptKey>(id, (before) => {
      const known = before ?? (id === this.#parts.own?.fingerprint ? this.#fresh() : undefined);
      if (!known) return undefined;
      const after = change(known);
      changed = after === known ? undefined : after;
      return after === before ? undefined : after;
    });
    this.forget();
    return changed;
  }

  #fresh(): KeptKey {
    return { ...OWN, since: currentTime(), service: this.#parts.service };
  }

  #rows(): Promise<ReadonlyMap<string, KeptKey>> {
    if (!this.#known || steady() - this.#known.at >= FRESH_MS) {
      const rows = this.#store.entries<KeptKey>().then((entries) => new Map(entries));
      const known = { at: steady(), rows };
      rows.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
      this.#known = known;
    }
    return this.#known.rows;
  }

  /** What is under a fingerprint never changes. */
  async #open(id: string): Promise<StoredKey | undefined> {
    const known = this.#opened.get(id) ?? (await this.#parts.vault.getReadable(poolOwner(id)));
    if (known) this.#opened.set(id, known);
    return known;
  }
}

/**
 * Whether another key of its account takes jobs in the place of one that was refused: under two of them a submission in doubt could be
 * taken for the other's. Whoever runs Reelay may let it in again once that one is gone.
 */
function isReplaced(id: string, { state, account }: KeptKey, rows: ReadonlyMap<string, KeptKey>): boolean {
  if (state !== "refused" || account === null) return false;
  return [...rows].some(
    ([other, row]) => other !== id && row.account === account && !["refused", "removed"].includes(row.state),
  );
}
