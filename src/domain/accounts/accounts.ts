import type { ChatId, UserId } from "../../seam/values.ts";
import {
  type Checkpoint,
  MediaApi,
  type Transport,
  Unauthorized,
} from "../../infrastructure/api/media-api.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Host, Hosts } from "../../common/contract.ts";
import { partnerIdOf } from "../../seam/access/partners.ts";
import { KEY_STATES } from "../../seam/access/key-pool.ts";
import { isNamed, isOperator } from "./subjects.ts";
import type { Limiter } from "../../infrastructure/queue/limiter.ts";
import { Latest } from "./latest.ts";
import { type AccountReading, readingOf } from "./reading.ts";
import { groupOwner, retiredOwner, type Vault } from "../../infrastructure/vault/vault.ts";
import { StoredKey } from "../../infrastructure/vault/stored-key.ts";
import type { KeyPool, PoolKey } from "../pool/key-pool.ts";
import { currentTime } from "../../common/time.ts";

/** How long a balance that was read is believed, in milliseconds; every submission's answer renews it. */
const BALANCE_MS = 60_000;

/** Whose key pays. */
export type KeySource = "own" | "group" | "operator" | "sandbox";

/** Whose the key is that pays for those who have connected none. */
export type SharedSource = Extract<KeySource, "operator" | "sandbox">;

/** How old the account's numbers may be that a submission leaves with, in milliseconds: own charges since are known. */
const NUMBERS_MS = 5 * BALANCE_MS;

/** How a call is made. */
export interface AccountCallOptions {
  /** Gives way to calls that a person waits for. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
  /** Ends a call that is under way; of one that costs tokens it is unknown then whether it was accepted. */
  readonly cut?: AbortSignal;
  /** Hears that a call that costs tokens waits for its rate. */
  readonly onWait?: () => void;
  /** Runs when such a call has its slot, just before it leaves. What it throws stops the call, which counts in no rate then. */
  readonly beforeSend?: () => Promise<void>;
  /** Hears that a call has its slot, and leaves. */
  readonly onLeave?: () => void;
  /** Asked again before the first and the last bytes of such a call. */
  readonly checkpoint?: Checkpoint;
}

/** Who pays for a request, and which host it goes to. A job is one. */
export interface Payer {
  readonly user: UserId;
  /** The key that a job was accepted under; left out, the one that pays now. */
  readonly keyId?: string;
  readonly host: Host;
  /** The group it is asked in. */
  readonly chat?: ChatId | null | undefined;
}

/** A person's way to one of the service's hosts: under whose key, inside which limits. */
export interface Account {
  readonly user: UserId;
  readonly host: Host;
  /** Tells keys apart without showing any. */
  readonly keyId: string;
  readonly source: KeySource;
  /** Whether whoever asks may be told what is left: of their own tokens, and alone of the operator's if the operator named them. */
  readonly tellsBalance: boolean;
  /** The service under this key, inside the published limits. */
  api(options?: AccountCallOptions): MediaApi;
  /**
   * Tokens left; null where the service does not say.
   * @param maxAgeMs how old an earlier answer may be, in milliseconds; a minute unless given
   */
  balance(maxAgeMs?: number): Promise<number | null>;
  /** Tokens left, as far as is known at this moment; null where it is not, or not for a minute. */
  knownBalance(): number | null;
  /**
   * Tokens left, as an answer of the service just said.
   * @param since when that was asked, in milliseconds since 1970
   */
  noteBalance(tokens: number, since?: number): void;
  /**
   * Tokens and numbers of jobs at one moment.
   * @param maxAgeMs how old an earlier answer may be, in milliseconds; a minute unless given
   */
  numbers(maxAgeMs?: number): Promise<AccountReading>;
  /** The same as far as it is known at this moment: at least the tokens, or null. Not older than five minutes. */
  knownNumbers(): AccountReading | null;
}

/** What the composition root knows about the service. */
export interface ServiceAccess {
  readonly hosts: Hosts;
  readonly transport: Transport;
  readonly limiter: Limiter;
  readonly vault: Vault;
  /** The keys of those who have connected none, and whose they are. */
  readonly pool: KeyPool;
  readonly source: SharedSource;
  /** Whom the operator pays for; see `isNamed`. */
  readonly operatorKeyFor: readonly string[];
}

/** A key of the operator's pool as a way to the service. */
export interface PooledAccount {
  readonly key: PoolKey;
  readonly account: Account;
}

/** Tokens left, and when that was asked, in milliseconds since 1970. */
interface Balance {
  readonly tokens: number | null;
  readonly from: number;
}

const rankOf = ({ state }: PoolKey) => KEY_STATES.indexOf(state);

/** Whether the shared key pays for somebody who has none. The sandbox's play money is for everybody. */
export function isPaidFor(
  payer: Pick<Payer, "user" | "chat">,
  source: SharedSource,
  operatorKeyFor: readonly string[],
): boolean {
  return source === "sandbox" || isNamed(payer, operatorKeyFor);
}

/** Finds the key that pays for a person and makes calls under it: keys go in, only calls come out. */
export class Accounts {
  readonly #access: ServiceAccess;
  readonly #balances = new Latest<Balance>();
  readonly #numbers = new Latest<AccountReading>();

  constructor(access: ServiceAccess) {
    this.#access = access;
  }

  /** Whether the built-in sandbox stands in for the service. */
  get inSandbox(): boolean {
    return this.#access.source === "sandbox";
  }

  /**
   * The person's own key pays, else their group's inside the group, else one of those who have connected none: the one with the most
   * tokens that takes jobs, as far as is known; which one a job leaves under is found when it leaves.
   * @throws ReelayError `not_connected` when there is none of these (any more)
   */
  async of(payer: Payer): Promise<Account> {
    const { keyId } = payer;
    for await (const { key, source } of this.#keysFor(payer)) {
      if (keyId === undefined || key.fingerprint === keyId) return this.#account(payer, key, source);
    }
    throw new ReelayError("not_connected");
  }

  /** The keys that may pay, the first one first; what a job was accepted under may have been retired since. */
  async *#keysFor(payer: Payer): AsyncGenerator<{ key: StoredKey; source: KeySource }> {
    const { vault, pool, source, operatorKeyFor } = this.#access;
    const { user, keyId, chat } = payer;
    const own = await vault.get(user);
    if (own) yield { key: own, source: "own" };
    const group = chat && (await vault.get(groupOwner(chat)));
    if (group) yield { key: group, source: "group" };
    const retired = chat && keyId && (await vault.get(retiredOwner(chat, keyId)));
    if (retired) yield { key: retired, source: "group" };
    if (keyId === undefined && !isPaidFor(payer, source, operatorKeyFor)) return;
    for (const { key } of this.#richestFirst(await pool.all())) yield { key, source };
  }

  /** Those that take jobs first, of these the one with the most tokens; one whose tokens are not known is asked for them. */
  #richestFirst(keys: readonly PoolKey[]): readonly PoolKey[] {
    const tokens = ({ id }: PoolKey) => this.#balances.known(id, BALANCE_MS)?.tokens ?? Number.MAX_VALUE;
    return keys.toSorted((a, b) => rankOf(a) - rankOf(b) || tokens(b) - tokens(a) || b.weight - a.weight);
  }

  /** Every key of those who have connected none. */
  async pooled(host: Host = "primary"): Promise<readonly PooledAccount[]> {
    const { pool, source } = this.#access;
    const at = { user: "cli:me", host } as const;
    return (await pool.all()).map((key) => ({ key, account: this.#account(at, key.key, source) }));
  }

  /**
   * The operator's keys that a job may leave under instead of its own; undefined where somebody else pays for it, who has one key, or
   * where it is play money.
   */
  async poolFor(payer: Payer & { readonly keyId: string }): Promise<readonly PooledAccount[] | undefined> {
    if (this.inSandbox || !(await this.#access.pool.has(payer.keyId))) return undefined;
    const { user, keyId, chat } = payer;
    const { vault } = this.#access;
    for (const owner of [user, ...(chat ? [groupOwner(chat), retiredOwner(chat, keyId)] : [])])
      if ((await vault.getReadable(owner))?.fingerprint === keyId) return undefined;
    return this.pooled(payer.host);
  }

  /** The account of a key that is about to be stored, to see whether the service takes it. */
  tryOut(user: UserId, key: string): Account {
    return this.#account({ user, host: "primary" }, new StoredKey(key), "own");
  }

  #account({ user, host, chat }: Payer, key: StoredKey, source: KeySource): Account {
    const keyId = key.fingerprint;
    const balances = this.#balances;
    const numbers = this.#numbers;
    // Each host counts its own jobs, as far as is known.
    const at = `${keyId} ${host}`;
    // Where it was sent before the clock was set back, it is from now on that it is of this clock.
    const noteBalance = (tokens: number, since = Infinity) =>
      balances.note(keyId, { tokens, from: Math.min(since, currentTime()) });
    const knownBalance = (maxAgeMs = BALANCE_MS) => balances.known(keyId, maxAgeMs)?.tokens ?? null;
    const api = (options: AccountCallOptions = {}) => this.#api({ user, host }, key, source, options);
    const read = async () => {
      const from = currentTime();
      const { tokens } = await api().balance();
      if (tokens !== null) noteBalance(tokens, from);
      return { tokens, from };
    };
    const readNumbers = async () => {
      const from = currentTime();
      const reading = readingOf(await api().stats(), from, currentTime());
      numbers.note(at, reading);
      if (reading.tokens !== null) noteBalance(reading.tokens, from);
      return reading;
    };
    return {
      user,
      host,
      keyId,
      source,
      tellsBalance: source === "own" || source === "sandbox" || (!chat && this.#maySeeOperators(user)),
      api,
      knownBalance,
      noteBalance,
      balance: async (maxAgeMs) => {
        const known = knownBalance(maxAgeMs);
        if (known !== null) return known;
        // A read that had begun before proves nothing to those who want a new one.
        const { tokens } = await (maxAgeMs === undefined ? balances.readOnce(keyId, read) : read());
        return tokens;
      },
      numbers: async (maxAgeMs = BALANCE_MS) =>
        numbers.known(at, maxAgeMs) ?? (maxAgeMs === 0 ? readNumbers() : numbers.readOnce(at, readNumbers)),
      knownNumbers: () => {
        const known = numbers.known(at, NUMBERS_MS);
        if (known) return known;
        const balance = balances.known(keyId, BALANCE_MS);
        return balance ? { ...balance, to: currentTime(), totals: null, failed: null } : null;
      },
    };
  }

  /** Whether somebody may be told what the operator's key has left: not who came by `all`, nor an app and its people. */
  #maySeeOperators(user: UserId): boolean {
    const isNamedAlone = partnerIdOf(user) === undefined && this.#access.operatorKeyFor.includes(user);
    return isOperator(user) || isNamedAlone;
  }

  #api(
    { user, host }: Pick<Payer, "user" | "host">,
    key: StoredKey,
    source: KeySource,
    { background = false, signal, cut, onWait, beforeSend, onLeave, checkpoint }: AccountCallOptions,
  ): MediaApi {
    const { hosts, transport, limiter, pool } = this.#access;
    const { fingerprint } = key;
    return new MediaApi({
      baseUrl: hosts[host] ?? hosts.primary,
      transport,
      key: key.reveal(),
      checkpoint,
      signal: cut,
      gate: async (call, send) => {
        const turn = { group: call.group, key: fingerprint, user, background, signal: signal ?? call.signal };
        const paid = call.paid ? { onWait, beforeSend } : {};
        try {
          return await limiter.run({ ...turn, ...paid }, async (egress) => {
            onLeave?.();
            return send(egress);
          });
        } catch (error) {
          if (source === "operator" && error instanceof Unauthorized)
            await pool.leave(fingerprint, "refused");
          throw error;
        }
      },
    });
  }
}
