import type { KeptState, KeyTier, PoolKeyEntry } from "../../seam/access/key-pool.ts";

/** What is kept of a key, beside the vault: under its fingerprint. */
export interface KeptKey extends Pick<PoolKeyEntry, "name" | "since" | "weight" | "tier" | "left"> {
  readonly state: KeptState;
  /** The service's address that it is for: it goes nowhere else. */
  readonly service: string;
  /** The service's number of its account; null where that is not known. */
  readonly account: number | null;
}

/** What a job asks of a key. */
export interface Wanted {
  /** Tokens; null: not known. */
  readonly price: number | null;
  /** The least tier that its operation needs, where that is known. */
  readonly tier: KeyTier | undefined;
}

const RANKS: Readonly<Record<KeyTier, number>> = { standard: 0, pro: 1, ultra: 2 };

/** Whether a key's account has what a job needs, as far as whoever runs Reelay said. */
export function hasTier({ tier }: Pick<KeptKey, "tier">, wanted: Pick<Wanted, "tier">): boolean {
  return tier === null || wanted.tier === undefined || RANKS[tier] >= RANKS[wanted.tier];
}

/** Whether a key may take a job now. Pure. */
export function mayTake(
  { state, left }: Pick<KeptKey, "state" | "left">,
  { price }: Pick<Wanted, "price">,
): boolean {
  return state === "in" || (state === "empty" && price !== null && price <= (left ?? 0));
}

/** Why a key leaves the pool by itself. */
export type LeftBecause = Extract<KeptState, "refused" | "empty">;

/**
 * A key that the service turned down.
 * @param left tokens that it had, where they did not cover something
 * @returns the same key where nothing changes: what whoever runs Reelay decided stays
 */
export function afterLeaving<K extends Pick<KeptKey, "state" | "since" | "left">>(
  key: K,
  state: LeftBecause,
  left: number | null,
  now: number,
): K {
  if (key.state === "empty" && state === "empty")
    return left !== null && left < (key.left ?? 0) ? { ...key, left } : key;
  const leaves = key.state === "in" || (key.state === "empty" && state === "refused");
  return leaves ? { ...key, state, since: now, left } : key;
}

/**
 * A key that the service was asked about, and took.
 * @param tokens what it has; null where the service does not say
 * @returns the same key where nothing changes
 */
export function afterLook<K extends Pick<KeptKey, "state" | "since" | "left">>(
  key: K,
  tokens: number | null,
  now: number,
): K {
  const left = key.left ?? 0;
  if (key.state === "refused" || (key.state === "empty" && tokens !== null && tokens > left))
    return { ...key, state: "in", since: now, left: null };
  return key.state === "empty" && tokens !== null && tokens < left ? { ...key, left: tokens } : key;
}

/** A key as whoever runs Reelay wants it: why it had left counts no more. */
export function settledKey<K extends Pick<KeptKey, "state" | "since" | "left">>(
  key: K,
  state: KeptState,
  now: number,
): K {
  return key.state === state ? key : { ...key, state, since: now, left: null };
}
