import {
  KEY_NAME,
  type KeyDesk,
  type KeySettings,
  type KeyState,
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
import { type KeptKey, settledKey } from "../pool/kept-key.ts";
import { type KeyPool, keysWithin, type PoolKey } from "../pool/key-pool.ts";

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

/** Looks after the operator's keys; each change is kept together with its line of the audit. */
export class PoolDesk implements KeyDesk {
  readonly #parts: KeyDeskParts;

  constructor(parts: KeyDeskParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly PoolKeyEntry[]> {
    const keys = await this.#parts.pool.all();
    return Promise.all(keys.map((key) => this.#entryOf(key)));
  }

  async add(name: string, given: string, settings: KeySettings): Promise<PoolKeyEntry> {
    const { service, vault } = this.#parts;
    if (service === undefined) throw new ReelayError("key_no_service");
    if (!KEY_NAME.test(name)) throw new ReelayError("key_name");
    const key = new StoredKey(given.trim());
    await this.#refuseKnown(name, key.fingerprint);
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
      for (const [id, other] of await rows.entries<KeptKey>()) refuseSame(name, key.fingerprint, id, other);
      await put(owner, key.reveal());
      await vault.known.keep(owner, key.reveal(), { kysely });
      await rows.set(key.fingerprint, row);
      await this.#write(`${name} added`, { kysely });
    });
    return this.#changed(name);
  }

  set(name: string, { weight, tier }: KeySettings): Promise<PoolKeyEntry> {
    const said = [
      ...(weight === undefined ? [] : [`weight ${weight}`]),
      ...(tier === undefined ? [] : [`tier ${tier}`]),
    ];
    return this.#change(name, said.join(", "), (key) => ({
      ...key,
      weight: weight ?? key.weight,
      tier: tier ?? key.tier,
    }));
  }

  pause(name: string): Promise<PoolKeyEntry> {
    return this.#move(name, "paused");
  }

  resume(name: string): Promise<PoolKeyEntry> {
    return this.#move(name, "in");
  }

  async remove(name: string): Promise<PoolKeyEntry> {
    if (name === OWN_KEY) throw new ReelayError("key_of_environment", { name });
    return this.#move(name, "removed");
  }

  #move(name: string, state: KeyState): Promise<PoolKeyEntry> {
    return this.#change(name, state, (key) => settledKey(key, state, currentTime()));
  }

  async #change(name: string, said: string, change: (key: KeptKey) => KeptKey): Promise<PoolKeyEntry> {
    const found = await this.#named(name);
    const { id } = found;
    await this.#parts.vault.change(async ({ kysely }) => {
      const rows = keysWithin(kysely);
      await rows.set(id, change((await rows.get<KeptKey>(id)) ?? keptOf(found)));
      await this.#write(`${name} ${said}`, { kysely });
    });
    return this.#changed(name);
  }

  /** @throws ReelayError `key_unknown` */
  async #named(name: string): Promise<PoolKey> {
    const found = (await this.#parts.pool.all()).find((key) => key.name === name);
    if (!found) throw new ReelayError("key_unknown", { name });
    return found;
  }

  async #changed(name: string): Promise<PoolKeyEntry> {
    this.#parts.pool.forget();
    return this.#entryOf(await this.#named(name));
  }

  async #entryOf({ id, name, state, since, weight, tier, left }: PoolKey): Promise<PoolKeyEntry> {
    const { all: jobs } = await this.#parts.jobsOf(id);
    return { name, state, since, weight, tier, left, jobs };
  }

  async #refuseKnown(name: string, id: string): Promise<void> {
    for (const other of await this.#parts.pool.all()) refuseSame(name, id, other.id, other);
  }

  /**
   * Two keys of one account have one balance and one list of jobs: a submission in doubt under one of them could be taken for one of the
   * other. A key that the service refuses, or that was removed, is in nobody's way once nothing is in doubt under it.
   */
  async #refuseSameAccount(account: number | null): Promise<void> {
    if (account === null) return;
    for (const { id, key, name, state, account: known } of await this.#parts.pool.all()) {
      const others = known ?? (await this.#parts.accountOf(key.reveal()).catch(() => null));
      const isGone = state === "refused" || state === "removed";
      if (others === account && !(isGone && (await this.#parts.jobsOf(id)).inDoubt === 0))
        throw new ReelayError("key_same_account", { name });
    }
  }

  async #write(rule: string, within: Pick<Database, "kysely">): Promise<void> {
    const { audit, by } = this.#parts;
    await audit.write({ act: "pool_key", user: by, surface: platformOf(by), rule }, within);
  }
}

/** What is kept of a key of which nothing was kept yet. */
const keptOf = ({ name, service, account, state, since, weight, tier, left }: PoolKey): KeptKey => ({
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
