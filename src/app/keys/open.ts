import { Accounts, type ServiceAccess, type SharedSource } from "../../domain/accounts/accounts.ts";
import type { KeyKeeper } from "../../domain/accounts/key-keeper.ts";
import type { LookedKey } from "../../domain/accounts/look-at-key.ts";
import type { Experience } from "../../domain/jobs/experience/experience.ts";
import type { Ledger } from "../../domain/jobs/ledger.ts";
import { KeyChoice } from "../../domain/jobs/submission/key-choice.ts";
import { KeyPool } from "../../domain/pool/key-pool.ts";
import type { Limiter } from "../../infrastructure/queue/limiter.ts";
import type { Slots } from "../../infrastructure/queue/slots.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { StoredKey } from "../../infrastructure/vault/stored-key.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";

/** What the keys of a core stand on. */
interface KeysParts extends Pick<ServiceAccess, "hosts" | "transport"> {
  readonly config: { readonly operatorKeyFor: readonly string[]; readonly pollMs: number };
  readonly database: Database;
  readonly vault: Vault;
  readonly log: Logger;
  /** That of the environment, or of the sandbox. */
  readonly shared: { readonly key: StoredKey; readonly source: SharedSource } | undefined;
  readonly limiter: Limiter;
  readonly slots: Slots;
  readonly ledger: Ledger;
  readonly experience: Experience;
}

/** The keys of a core: who pays with which, and which of the operator's a job leaves under. */
export interface CoreKeys {
  readonly pool: KeyPool;
  readonly accounts: Accounts;
  readonly choice: KeyChoice;
  /** What looks after them where a server runs. */
  readonly startKeeper: () => Promise<KeyKeeper>;
  /** Asks the service about each of the operator's keys that takes jobs, or would. */
  readonly look: (stop: AbortSignal) => Promise<readonly LookedKey[]>;
}

/** Puts them together; nothing happens yet. */
export function openKeys({ experience, ledger, limiter, shared, slots, ...parts }: KeysParts): CoreKeys {
  const { config, hosts, log } = parts;
  const { operatorKeyFor, pollMs } = config;
  const pool = new KeyPool({ ...parts, own: shared?.key, service: hosts.primary });
  const source = shared?.source ?? "operator";
  const accounts = new Accounts({ ...parts, pool, source, limiter, operatorKeyFor });
  const goingOn = (keyId: string) => ledger.count({ keyId, goingOn: true });
  return {
    pool,
    accounts,
    choice: new KeyChoice({ accounts, pool, ledger, limiter, slots, experience, random: Math.random }),
    async startKeeper() {
      const { KeyKeeper } = await import("../../domain/accounts/key-keeper.ts");
      const keeper = new KeyKeeper({ accounts, pool, goingOn, everyMs: 12 * pollMs, log });
      keeper.start();
      return keeper;
    },
    async look(stop) {
      const { lookAtKeys } = await import("../../domain/accounts/look-at-key.ts");
      return lookAtKeys(accounts, pool, stop);
    },
  };
}
