import type { Accounts, PooledAccount } from "../../accounts/accounts.ts";
import { isKeyGone } from "../../accounts/refused.ts";
import {
  InsufficientTokens,
  SubscriptionRequired,
  Unauthorized,
} from "../../../infrastructure/api/transport/errors.ts";
import type { Limiter } from "../../../infrastructure/queue/limiter.ts";
import type { Slots } from "../../../infrastructure/queue/slots.ts";
import { operationOf } from "../../operations/registry.ts";
import { byRoom } from "../../pool/by-room.ts";
import type { KeyPool } from "../../pool/key-pool.ts";
import { hasTier, mayTake, type Wanted } from "../../pool/kept-key.ts";
import { HALF_A_CENT } from "../../../seam/amounts.ts";
import type { Experience } from "../experience/experience.ts";
import type { Job } from "../job.ts";
import type { Ledger } from "../ledger.ts";
import { priceOf } from "../quote.ts";

/** What keys are chosen by. */
export interface KeyChoiceParts {
  readonly accounts: Accounts;
  readonly pool: KeyPool;
  readonly ledger: Pick<Ledger, "roomFor">;
  readonly limiter: Pick<Limiter, "windowsOf">;
  readonly slots: Slots;
  readonly experience: Experience;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Which keys a job may leave under. Where whoever asked for it pays, or their group, that is the one that it was asked for with. Where
 * the operator pays, it is any of theirs that may take it: the one with the most room is found when the job is about to leave, and until
 * its intent is on disk it is bound to none. From then on only a certain refusal sets it free again.
 */
export class KeyChoice {
  readonly #parts: KeyChoiceParts;
  /** Keys whose accounts were refused a job for what they have not subscribed to: it does not ask them again. */
  readonly #declined = new Map<string, Set<string>>();
  /** What accounts were refused for that: others are asked first. */
  readonly #without = new Set<string>();

  constructor(parts: KeyChoiceParts) {
    this.#parts = parts;
  }

  /** The keys that a job may leave under now, in no order; none: it waits. */
  async keysFor(job: Job): Promise<readonly string[]> {
    const pool = await this.#parts.accounts.poolFor(job);
    if (!pool) return [job.keyId];
    const wanted = this.#wantedBy(job);
    const may = withTier(pool, wanted).filter(
      ({ key }) => mayTake(key, wanted) && !this.#hasDeclined(job, key.id),
    );
    const covering: PooledAccount[] = [];
    for (const one of may) if (await this.#covers(one, wanted)) covering.push(one);
    const likely = covering.filter(({ key }) => !this.#without.has(lackOf(job, key.id)));
    return (likely.length > 0 ? likely : covering).map(({ key }) => key.id);
  }

  /** Where jobs wait in turn for the same keys. */
  async lineFor(job: Job): Promise<string> {
    const pool = await this.#parts.accounts.poolFor(job);
    return pool ? `operator ${this.#wantedBy(job).tier ?? ""}` : job.keyId;
  }

  /** Keys in the order in which a job is to try them: the one with the most room first. */
  async inOrder(job: Job, keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length < 2) return keys;
    const { accounts, ledger, limiter, slots, random } = this.#parts;
    const { group } = operationOf(job.operation);
    const windows = await limiter.windowsOf(group, keys);
    const pool = new Map((await accounts.pooled()).map(({ key }) => [key.id, key]));
    const loads = keys.map(async (id, nth) => ({
      id,
      weight: pool.get(id)?.weight ?? 1,
      ...(windows[nth] ?? { requests: 0, rate: 1 }),
      ...slots.loadOf(id, await ledger.roomFor(job, id)),
    }));
    return byRoom(await Promise.all(loads), random);
  }

  /**
   * Takes notice of why a key was refused for a job.
   * @returns whether the job goes back to the others; else it came to nothing
   */
  async goesBack(job: Job, keyId: string, error: unknown): Promise<boolean> {
    const { accounts, pool } = this.#parts;
    const all = await accounts.poolFor(job);
    if (!all) return false;
    if (isKeyGone(error)) {
      pool.forget();
      return true;
    }
    // It has left the pool: see `Accounts`.
    if (error instanceof Unauthorized) return true;
    if (error instanceof InsufficientTokens) {
      await this.#noteEmpty(job, keyId, all);
      return true;
    }
    if (!(error instanceof SubscriptionRequired)) return false;
    this.#without.add(lackOf(job, keyId));
    this.#declined.set(job.id, new Set([...(this.#declined.get(job.id) ?? []), keyId]));
    return withTier(all, this.#wantedBy(job)).some(({ key }) => !this.#hasDeclined(job, key.id));
  }

  /** Forgets what was found out of a job that has left the queue. */
  forget({ id }: Pick<Job, "id">): void {
    this.#declined.delete(id);
  }

  /** Whether a key's tokens cover a price, as far as both are known; one that has too few leaves. */
  async #covers({ account, key }: PooledAccount, { price }: Wanted): Promise<boolean> {
    const known = account.knownBalance();
    if (known === null || price === null || known > price - HALF_A_CENT) return true;
    await this.#parts.pool.leave(key.id, "empty", known);
    return false;
  }

  /** What a key has left, as it says itself, is less than this costs: the balance may be told late. */
  async #noteEmpty(job: Job, keyId: string, all: readonly PooledAccount[]): Promise<void> {
    const account = all.find(({ key }) => key.id === keyId)?.account;
    const balance = (await account?.balance(0).catch(() => null)) ?? 0;
    const { price } = this.#wantedBy(job);
    const left = price === null ? balance : Math.min(balance, price - 2 * HALF_A_CENT);
    await this.#parts.pool.leave(keyId, "empty", Math.max(0, left));
  }

  #hasDeclined({ id }: Pick<Job, "id">, keyId: string): boolean {
    return this.#declined.get(id)?.has(keyId) ?? false;
  }

  #wantedBy({ operation: name, values }: Job): Wanted {
    const operation = operationOf(name);
    const tier = operation.forbidden(values) === "ultra_required" ? "ultra" : operation.subscription;
    return { price: priceOf(this.#parts.experience, operation, values), tier };
  }
}

/** The keys whose accounts have what a job needs; where none has, the service says so, and what to do. */
function withTier(pool: readonly PooledAccount[], wanted: Wanted): readonly PooledAccount[] {
  const there = pool.filter(({ key }) => key.state !== "removed");
  const able = there.filter(({ key }) => hasTier(key, wanted));
  return able.length > 0 ? able : there;
}

/** What an account lacks that was refused a job for it. */
function lackOf({ operation: name, values }: Job, keyId: string): string {
  return `${keyId} ${name} ${operationOf(name).forbidden(values) ?? ""}`;
}
