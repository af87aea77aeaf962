import { within } from "../../common/time.ts";
import type { KeyPool, PoolKey } from "../pool/key-pool.ts";
import type { Accounts, PooledAccount } from "./accounts.ts";

/** How long the service may take to answer, waiting for a turn included, in milliseconds. */
const ANSWER_MS = 12_000;

/** A key that the service was asked about. */
export interface LookedKey {
  /** As it is now. */
  readonly key: PoolKey;
  /** Tokens that it has; undefined where that cannot be told. */
  readonly tokens: number | undefined;
}

/**
 * Asks the service about a key of the pool: one that it refuses leaves, one that had left comes back where it is taken again, or has more
 * tokens than it left with.
 * @returns tokens that it has; undefined where that cannot be told: a service that does not answer says nothing of a key
 */
export async function lookAtKey(
  pool: Pick<KeyPool, "looked">,
  { key, account }: PooledAccount,
  stop: AbortSignal,
): Promise<number | undefined> {
  try {
    const asking = (signal: AbortSignal) => account.api({ background: true, signal }).balance();
    const { tokens } = await within(ANSWER_MS, asking, stop);
    if (tokens !== null) account.noteBalance(tokens);
    await pool.looked(key.id, tokens);
    return tokens ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether a key takes jobs, or would if it could. */
export const isUsed = ({ state }: Pick<PoolKey, "state">): boolean =>
  state !== "paused" && state !== "removed";

/** The same of every key that takes jobs, or would if it could; none in the sandbox. */
export async function lookAtKeys(
  accounts: Pick<Accounts, "inSandbox" | "pooled">,
  pool: KeyPool,
  stop: AbortSignal,
): Promise<readonly LookedKey[]> {
  if (accounts.inSandbox) return [];
  const used = (await accounts.pooled()).filter(({ key }) => isUsed(key));
  const looks = used.map(async (one) => [one.key.id, await lookAtKey(pool, one, stop)] as const);
  const tokens = new Map(await Promise.all(looks));
  const now = (await pool.all()).filter(({ id }) => tokens.has(id));
  return now.map((key) => ({ key, tokens: tokens.get(key.id) }));
}
