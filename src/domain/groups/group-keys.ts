import type { ChatId } from "../../seam/values.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import type { Ledger } from "../jobs/ledger.ts";
import { Line } from "../../common/line.ts";
import { wake } from "../jobs/wake.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { StoredKey } from "../../infrastructure/vault/stored-key.ts";
import { groupOwner, retiredOwner, type Vault } from "../../infrastructure/vault/vault.ts";

/** What the groups' keys are kept with. */
export interface GroupKeysParts {
  readonly vault: Vault;
  readonly ledger: Ledger;
  readonly log: Logger;
}

/**
 * The groups' own keys. One that is taken away is retired: it pays for nothing more, but stays until everything
 * that it paid for has arrived, because nothing paid for may be lost and a busy group never rests.
 */
export class GroupKeys {
  readonly #parts: GroupKeysParts;
  /** Of one group, one step after another: no key is erased while another step needs it. */
  readonly #line = new Line();
  #unsubscribe = () => {};

  constructor(parts: GroupKeysParts) {
    this.#parts = parts;
  }

  /** Erases retired keys that nothing needs, now and whenever a group's job has arrived. */
  async start(): Promise<void> {
    const { vault, ledger, log } = this.#parts;
    this.#unsubscribe = ledger.onChange(({ job }) => {
      const { chat, keyId } = job;
      if (chat === null || isGoingOn(job)) return;
      this.#line
        .run(chat, () => this.#erase(chat, keyId))
        .catch((err: unknown) => log.error({ err, chat }, "A group's former key could not be erased"));
    });
    for (const { chat, keyId } of await vault.retired())
      await this.#line.run(chat, () => this.#erase(chat as ChatId, keyId));
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#line.idle();
  }

  /** The key that pays in a group. @throws ReelayError `key_unreadable` */
  get(chat: ChatId): Promise<StoredKey | undefined> {
    return this.#parts.vault.get(groupOwner(chat));
  }

  /** Stores a group's key in place of the one before, which is retired. */
  put(chat: ChatId, key: string): Promise<void> {
    const { ledger } = this.#parts;
    return this.#line.run(chat, async () => {
      await this.#retire(chat);
      await this.#parts.vault.put(groupOwner(chat), key);
      await wake(ledger, { chat });
    });
  }

  /** Has a group's key pay under another id. Under the one before it is retired: jobs that it paid for are read by that. */
  async move(from: ChatId, to: ChatId): Promise<void> {
    const stored = await this.get(from);
    if (!stored) return;
    await this.put(to, stored.reveal());
    await this.retire(from);
  }

  /**
   * Takes a group's key away.
   * @returns how many jobs it is kept for until they have arrived
   */
  retire(chat: ChatId): Promise<number> {
    return this.#line.run(chat, () => this.#retire(chat));
  }

  async #retire(chat: ChatId): Promise<number> {
    const { vault } = this.#parts;
    const key = await vault.getReadable(groupOwner(chat));
    if (!key) {
      await vault.remove(groupOwner(chat));
      return 0;
    }
    await vault.move(groupOwner(chat), retiredOwner(chat, key.fingerprint));
    return this.#erase(chat, key.fingerprint);
  }

  /** Returns how many jobs the key is still kept for. */
  async #erase(chat: ChatId, keyId: string): Promise<number> {
    const { vault, ledger } = this.#parts;
    const needing = await ledger.count({ chat, keyId, goingOn: true });
    if (needing === 0) await vault.remove(retiredOwner(chat, keyId));
    return needing;
  }
}
