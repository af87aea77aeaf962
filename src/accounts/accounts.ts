import type { UserId } from "../chat/values.ts";
import { MediaApi, type Transport } from "../api/media-api.ts";
import { ReelayError } from "../errors.ts";
import type { Limiter } from "../queue/limiter.ts";
import type { Vault } from "../vault/vault.ts";
import { StoredKey } from "../vault/stored-key.ts";

/** How long a balance that was read is believed, in milliseconds; every submission's answer renews it. */
const BALANCE_MS = 60_000;

/** Whose key pays. */
export type KeySource = "own" | "operator" | "sandbox";

/** How a call is made. */
export interface CallOptions {
  /** Gives way to calls that a person waits for. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
  /** Runs when the call has its slot, just before it leaves. What it throws stops the call. */
  readonly beforeSend?: () => Promise<void>;
}

/** A person's way to the service: under whose key, inside which limits. */
export interface Account {
  readonly user: UserId;
  /** Tells keys apart without showing any. */
  readonly keyId: string;
  readonly source: KeySource;
  /** The service under this key, inside the published limits. */
  api(options?: CallOptions): MediaApi;
  /**
   * Tokens left; null where the service does not say.
   * @param maxAgeMs how old an earlier answer may be, in milliseconds; a minute unless given
   */
  balance(maxAgeMs?: number): Promise<number | null>;
  /** Tokens left, as an answer of the service just said. */
  noteBalance(tokens: number): void;
}

/** What the composition root knows about the service. */
export interface ServiceAccess {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly limiter: Limiter;
  readonly vault: Vault;
  /** The key of those who have connected none. */
  readonly shared: { readonly key: StoredKey; readonly source: "operator" | "sandbox" } | undefined;
}

/** Finds the key that pays for a person and makes calls under it: keys go in, only calls come out. */
export class Accounts {
  readonly #access: ServiceAccess;
  /** By key: what it had left, and when that was read. */
  readonly #balances = new Map<string, { tokens: number; at: number }>();

  constructor(access: ServiceAccess) {
    this.#access = access;
  }

  /**
   * @param keyId the key that a job was accepted under; undefined for the one that pays now
   * @throws ReelayError `not_connected` when the person has no key (any more) and there is no shared one
   */
  async of(user: UserId, keyId?: string): Promise<Account> {
    const own = await this.#access.vault.get(user);
    const { shared } = this.#access;
    const candidates = [
      own && this.#account(user, own, "own"),
      shared && this.#account(user, shared.key, shared.source),
    ];
    const account = candidates.find(
      (candidate) => candidate && (keyId === undefined || candidate.keyId === keyId),
    );
    if (!account) throw new ReelayError("not_connected");
    return account;
  }

  /** The account of a key that is about to be stored, to see whether the service takes it. */
  tryOut(user: UserId, key: string): Account {
    return this.#account(user, new StoredKey(key), "own");
  }

  #account(user: UserId, key: StoredKey, source: KeySource): Account {
    const keyId = key.fingerprint;
    const balances = this.#balances;
    const noteBalance = (tokens: number) => void balances.set(keyId, { tokens, at: Date.now() });
    const api = (options: CallOptions = {}) => this.#api(user, key, options);
    return {
      user,
      keyId,
      source,
      api,
      noteBalance,
      async balance(maxAgeMs = BALANCE_MS) {
        const known = balances.get(keyId);
        if (known && Date.now() - known.at < maxAgeMs) return known.tokens;
        const { tokens } = await api().balance();
        if (tokens !== null) noteBalance(tokens);
        return tokens;
      },
    };
  }

  #api(user: UserId, key: StoredKey, { background = false, signal, beforeSend }: CallOptions): MediaApi {
    const { baseUrl, transport, limiter } = this.#access;
    return new MediaApi({
      baseUrl,
      transport,
      key: key.reveal(),
      gate: (call, send) =>
        limiter.run(
          { group: call.group, key: key.fingerprint, user, background, signal: signal ?? call.signal },
          async () => {
            await beforeSend?.();
            return send();
          },
        ),
    });
  }
}
