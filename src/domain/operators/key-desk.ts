import {
  KEY_NAME,
  type KeyDesk,
  type KeySettings,
  type KeptState,
  keyVersion,
  OWN_KEY,
  type PoolKeyEntry,
} from "../../seam/access/key-pool.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import { currentTime } from "../../common/time.ts";
import { StoredKey } from "../../infrastructure/vault/stored-key.ts";
import { poolOwner, type Vault } from "../../infrastructure/vault/vault.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Audit } from "../audit/audit.ts";
import { insteadOf } from "../../common/said-key.ts";
import { type KeptKey, settledKey } from "../pool/kept-key.ts";
import { type KeyPool, keysWithin, type ListedKey } from "../pool/key-pool.ts";
import { entryOf } from "./key-cards.ts";

/** How many jobs of a key something is still to come of. */
interface KeyJobs {
  readonly all: number;
  /** Of which it is not known whether the service has accepted them. */
  readonly inDoubt: number;
}

/** What keys are looked after over. */
export interface KeyDeskParts {
  readonly database: Database;
  readonly vault: Vault;
  readonly pool: KeyPool;
  readonly audit: Pick<Audit, "write">;
  /** Who looks after them. */
  readonly by: UserId;
  readonly jobsOf: (keyId: string) => Promise<KeyJobs>;
  /** The service's address; undefined: there is only the sandbox. */
  readonly service: string | undefined;
  /** Asks the service whose a key is: the number of its account. @throws ReelayError `unauthorized` */
  readonly accountOf: (key: string) => Promise<number | null>;
}

/** What becomes of a key. */
interface KeyChange {
  /** For the audit. */
  readonly said: string;
  readonly change: (key: KeptKey) => KeptKey;
  /** The {@link keyVersion} that whoever changes it saw, where that counts. */
  readonly seen: string | undefined;
}

/** Looks after the operator's keys; each change is kept together with its line of the audit. */
export class PoolDesk implements KeyDesk {
  readonly #parts: KeyDeskParts;

  constructor(parts: KeyDeskParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly PoolKeyEntry[]> {
    const keys = await this.#parts.pool.listed();
    return Promise.all(keys.map((key) => this.#entryOf(key)));
  }

  async add(name: string, given: string, settings: KeySettings): Promise<PoolKeyEntry> {
    const { service, vault } = this.#parts;
    if (service === undefined) throw new ReelayError("key_no_service");
    if (!KEY_NAME.test(name)) throw new ReelayError("key_name");
    const wanted = insteadOf(given.trim());
    if (wanted !== undefined) throw new ReelayError("field_invalid", { field: "key", wanted });
    const key = new StoredKey(given.trim());
    const isUnreadable = await this.#refuseKnown(name, key.fingerprint);
    const account = await this.#parts.accountOf(key.reveal());
    await this.#refuseSameAccount(account);
    const row: KeptKey = {
      name,
      service,
      account,
      state: "in",
      since: currentTime(),
      weight: settings.weight ?? 1,
      tier: settings.tier ?? null,
      left: null,
    };
    await vault.known.ready();
    const owner = poolOwner(key.fingerprint);
    await vault.change(async ({ kysely, put }) => {
      const rows = keysWithin(kysely);
      for (const [id, other] of await rows.entries<KeptKey>())
        if (!(isUnreadable && id === key.fingerprint)) refuseSame(name, key.fingerprint, id, other);
      await put(owner, key.reveal());
      await vault.known.keep(owner, key.reveal(), { kysely });
      await rows.set(key.fingerprint, row);
      await this.#write(`${name} added`, { kysely });
    });
    return this.#changed(name);
  }

  set(name: string, { weight, tier }: KeySettings, seen?: string): Promise<PoolKeyEntry> {
    const said = [
      ...(weight === undefined ? [] : [`weight ${weight}`]),
      ...(tier === undefined ? [] : [`tier ${tier ?? "any"}`]),
    ];
    const change = (key: KeptKey): KeptKey => ({
      ...key,
      weight: weight ?? key.weight,
      tier: tier === undefined ? key.tier : tier,
    });
    return this.#change(name, { said: said.join(", "), change, seen });
  }

  pause(name: string, seen?: string): Promise<PoolKeyEntry> {
    return this.#move(name, "paused", seen);
  }

  async resume(name: string, seen?: string): Promise<PoolKeyEntry> {
    const { id, account, state } = await this.#named(name);
    // Another key of its account may have been added in its place.
    if (isGone(state)) await this.#refuseSameAccount(account, id);
    return this.#move(name, "in", seen);
  }

  async remove(name: string, seen?: string): Promise<PoolKeyEntry> {
    if (name === OWN_KEY) throw new ReelayError("key_of_environment", { name });
    return this.#move(name, "removed", seen);
  }

  #move(name: string, state: KeptState, seen: string | undefined): Promise<PoolKeyEntry> {
    return this.#change(name, {
      said: state,
      change: (key) => settledKey(key, state, currentTime()),
      seen,
    });
  }

  async #change(name: string, { said, change, seen }: KeyChange): Promise<PoolKeyEntry> {
    const found = await this.#named(name);
    const { id } = found;
    await this.#parts.vault.change(async ({ kysely }) => {
      const rows = keysWithin(kysely);
      const kept = await rows.get<KeptKey>(id);
      // One that was added has a row until it is erased; that of the environment may have none yet.
      if (!kept && name !== OWN_KEY) throw new ReelayError("key_unknown", { name });
      const before = kept ?? keptOf(found);
      if (seen !== undefined && keyVersion(before) !== seen) throw new ReelayError("changed_meanwhile");
      await rows.set(id, change(before));
      await this.#write(`${name} ${said}`, { kysely });
    });
    return this.#changed(name);
  }

  /** @throws ReelayError `key_unknown` */
  async #named(name: string): Promise<ListedKey> {
    const found = (await this.#parts.pool.listed()).find((key) => key.name === name);
    if (!found) throw new ReelayError("key_unknown", { name });
    return found;
  }

  async #changed(name: string): Promise<PoolKeyEntry> {
    this.#parts.pool.forget();
    return this.#entryOf(await this.#named(name));
  }

  async #entryOf(key: ListedKey): Promise<PoolKeyEntry> {
    return entryOf(key, (await this.#parts.jobsOf(key.id)).all);
  }

  /** @returns whether it is there and cannot be read any more: then it is stored again */
  async #refuseKnown(name: string, id: string): Promise<boolean> {
    const all = await this.#parts.pool.listed();
    const unreadable = all.find((one) => one.id === id && one.key === undefined);
    for (const other of all) if (other !== unreadable) refuseSame(name, id, other.id, other);
    return unreadable !== undefined;
  }

  /**
   * Two keys of one account have one balance and one list of jobs: a submission in doubt under one of them could be taken for one of the
   * other. A key that the service refuses, or that was removed, is in nobody's way once nothing is in doubt under it.
   * @param but the id of the key itself, where it is one of them
   */
  async #refuseSameAccount(account: number | null, but?: string): Promise<void> {
    if (account === null) return;
    const all = await this.#parts.pool.all();
    for (const { id, key, name, state, account: known } of all.filter((one) => one.id !== but)) {
      const others = known ?? (await this.#parts.accountOf(key.reveal()).catch(() => null));
      if (others === account && !(isGone(state) && (await this.#parts.jobsOf(id)).inDoubt === 0))
        throw new ReelayError("key_same_account", { name });
    }
  }

  async #write(rule: string, within: Pick<Database, "kysely">): Promise<void> {
    const { audit, by } = this.#parts;
    await audit.write({ act: "pool_key", user: by, surface: platformOf(by), rule }, within);
  }
}

/** Whether a key takes nothing, and another one of its account may have come in its place. */
const isGone = (state: KeptState) => state === "refused" || state === "removed";

/** What is kept of a key of which nothing was kept yet. */
const keptOf = ({ name, service, account, state, since, weight, tier, left }: ListedKey): KeptKey => ({
  name,
  service,
  account,
  state,
  since,
  weight,
  tier,
  left,
});

/** @throws ReelayError `key_in_pool`, `key_name_taken` */
function refuseSame(name: string, id: string, otherId: string, other: Pick<KeptKey, "name" | "state">): void {
  if (id === otherId && other.state !== "removed") throw new ReelayError("key_in_pool", { name: other.name });
  if (id !== otherId && name === other.name) throw new ReelayError("key_name_taken", { name });
}
