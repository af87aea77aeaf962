import { z } from "zod";
import { keyOf } from "../liberties/keys.ts";
import { lagMs } from "../liberties/lags.ts";
import type { Liberties } from "../liberties/liberties.ts";
import { Refusal } from "./refusal.ts";
import type { Store } from "./store.ts";

/** What an account may do, and how many of its jobs run at once; the contract leaves the slots open. */
export const TIERS = {
  standard: { slots: 3, subscribed: false, startTokens: 250.5 },
  pro: { slots: 10, subscribed: true, startTokens: 1200.25 },
  ultra: { slots: 20, subscribed: true, startTokens: 5000.75 },
  boss: { slots: 50, subscribed: true, startTokens: 100_000 },
} as const;

/** An account's tier. */
export type Tier = keyof typeof TIERS;

/** Accounts that every sandbox has. */
export const ACCOUNT_NAMES = ["standard", "pro", "ultra", "boss", "empty"] as const;

const accountRecord = z.object({
  id: z.int(),
  name: z.string(),
  tier: z.enum(["standard", "pro", "ultra", "boss"]),
  key: z.string(),
  tokens: z.int(),
  used: z.int(),
  created_at: z.int(),
});

/** An account as it is stored; amounts in hundredths of a token, times in milliseconds since 1970. */
export type Account = z.infer<typeof accountRecord>;

/** The accounts and their keys. */
export class Accounts {
  readonly #store: Store;
  readonly #liberties: Liberties;
  readonly #lagMs: number;
  /** Charges that reads of the balance may not tell yet; a restart tells them all. */
  #recent: readonly { readonly accountId: number; readonly amount: number; readonly at: number }[] = [];

  /** @param timeScale stretches or shrinks how late a charge is told */
  constructor(store: Store, liberties: Liberties, timeScale: number) {
    this.#store = store;
    this.#liberties = liberties;
    this.#lagMs = lagMs(liberties.balanceLag, timeScale);
  }

  /** Makes an account unless it is there already; its key follows from the seed and its name. */
  add(name: string, tier: Tier, tokens: number = TIERS[tier].startTokens): Account {
    const key = keyOf(this.#liberties.keys, `${this.#store.seed}\0key\0${name}`);
    this.#store.db
      .prepare(
        "INSERT OR IGNORE INTO accounts (name, tier, key, tokens, used, created_at) VALUES (?, ?, ?, ?, 0, ?)",
      )
      .run(name, tier, key, Math.round(tokens * 100), Date.now());
    // A folder that began with keys of another shape keeps them.
    return accountRecord.parse(this.#store.db.prepare("SELECT * FROM accounts WHERE name = ?").get(name));
  }

  /** The account of a key, or undefined when nobody has that key. */
  byKey(key: string): Account | undefined {
    return accountRecord
      .optional()
      .parse(this.#store.db.prepare("SELECT * FROM accounts WHERE key = ?").get(key));
  }

  /** Every account, as it is now. */
  all(): readonly Account[] {
    return this.#store.db
      .prepare("SELECT * FROM accounts ORDER BY id")
      .all()
      .map((row) => accountRecord.parse(row));
  }

  /** The stored state of an account. */
  reload(account: Account): Account {
    return this.byKey(account.key) ?? account;
  }

  /** What an account has, in hundredths of a token. */
  balance(accountId: number): number {
    return Number(
      this.#store.db.prepare("SELECT tokens FROM accounts WHERE id = ?").get(accountId)?.["tokens"],
    );
  }

  /** What reads of the balance tell, in hundredths of a token. */
  shownBalance({ id, tokens }: Account): number {
    const since = Date.now() - this.#lagMs;
    this.#recent = this.#recent.filter(({ at }) => at > since);
    const untold = this.#recent.filter(({ accountId }) => accountId === id);
    return untold.reduce((sum, { amount }) => sum + amount, tokens);
  }

  /** Takes hundredths of a token from an account; a negative amount gives them back. */
  charge(accountId: number, amount: number): void {
    if (this.#lagMs > 0) this.#recent = [...this.#recent, { accountId, amount, at: Date.now() }];
    this.#store.db
      .prepare("UPDATE accounts SET tokens = tokens - ?1, used = used + ?1 WHERE id = ?2")
      .run(amount, accountId);
  }
}

/**
 * Some products are for subscribers only (section 5, rule 7).
 * @param product its name, for the refusal
 * @param least the lowest tier that has it; boss accounts have everything
 * @throws Refusal 403 naming what is needed
 */
export function requireTier({ tier }: Account, least: "pro" | "ultra", product: string): void {
  const order: readonly Tier[] = ["standard", "pro", "ultra", "boss"];
  if (order.indexOf(tier) >= order.indexOf(least)) return;
  const name = least === "pro" ? "Pro" : "Ultra";
  throw new Refusal(403, `${product}: an active ${name} subscription is required.`);
}

/** Makes the accounts of {@link ACCOUNT_NAMES}; `empty` is a standard account without tokens. */
export function addAccounts(accounts: Accounts): Record<(typeof ACCOUNT_NAMES)[number], Account> {
  return {
    standard: accounts.add("standard", "standard"),
    pro: accounts.add("pro", "pro"),
    ultra: accounts.add("ultra", "ultra"),
    boss: accounts.add("boss", "boss"),
    empty: accounts.add("empty", "standard", 0),
  };
}
