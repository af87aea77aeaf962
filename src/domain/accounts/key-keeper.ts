import { sleep } from "../../common/time.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { KeyPool } from "../pool/key-pool.ts";
import type { Accounts } from "./accounts.ts";
import { lookAtKey } from "./look-at-key.ts";

/** What keys are looked after with. */
interface KeyKeeperParts {
  readonly accounts: Accounts;
  readonly pool: KeyPool;
  /** How many jobs something is still to come of under a key. */
  readonly goingOn: (keyId: string) => Promise<number>;
  /** How often, in milliseconds. */
  readonly everyMs: number;
  readonly log: Logger;
}

/** Has keys come back that left the operator's pool by themselves, and lets go of those that were removed once nothing needs them. */
export class KeyKeeper {
  readonly #parts: KeyKeeperParts;
  readonly #stop = new AbortController();
  #loop = Promise.resolve();

  constructor(parts: KeyKeeperParts) {
    this.#parts = parts;
  }

  start(): void {
    if (!this.#parts.accounts.inSandbox) this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { everyMs, log } = this.#parts;
    while (!this.#stop.signal.aborted) {
      await sleep(everyMs, this.#stop.signal).catch(() => undefined);
      await this.#look().catch((err: unknown) => {
        if (!this.#stop.signal.aborted) log.warn({ err }, "The operator's keys could not be looked at");
      });
    }
  }

  async #look(): Promise<void> {
    const { accounts, goingOn, pool } = this.#parts;
    const left = (await accounts.pooled()).filter(({ key }) => ["refused", "empty"].includes(key.state));
    await Promise.all(left.map((one) => lookAtKey(pool, one, this.#stop.signal)));
    for (const id of await pool.removed()) if ((await goingOn(id)) === 0) await pool.erase(id);
  }
}
