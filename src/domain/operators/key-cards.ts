import { RATE_LIMITS, type RateGroup } from "../../common/contract.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Limiter } from "../../infrastructure/queue/limiter.ts";
import { type KeyCard, keyVersion, type PoolKeyEntry } from "../../seam/access/key-pool.ts";
import type { AuditEntry } from "../../seam/access/audit.ts";
import type { Audit } from "../audit/audit.ts";
import { slotsHeld } from "../jobs/count.ts";
import type { KeyPool, ListedKey } from "../pool/key-pool.ts";

/** Lines of the audit that are looked through for who changed a key last. */
const MOST_LINES = 200;

const GROUPS = Object.keys(RATE_LIMITS) as RateGroup[];

/** What is looked at. */
interface CardParts {
  readonly database: Pick<Database, "kysely">;
  readonly pool: Pick<KeyPool, "listed">;
  readonly limiter: Pick<Limiter, "windowsOf">;
  readonly audit: Pick<Audit, "read">;
  readonly jobsOf: (keyId: string) => Promise<{ readonly all: number }>;
}

/** Looks at the operator's keys, as they stand in the database: each with what it has to do and who changed it last. */
export async function keyCards(parts: CardParts): Promise<readonly KeyCard[]> {
  const { audit, database, jobsOf, limiter, pool } = parts;
  const keys = await pool.listed();
  if (keys.length === 0) return [];
  const ids = keys.map(({ id }) => id);
  const windows = await Promise.all(
    GROUPS.map(async (group) => ({ group, taken: await limiter.windowsOf(group, ids) })),
  );
  const lines = await audit.read({ act: "pool_key", limit: MOST_LINES });
  const cardOf = async (key: ListedKey, nth: number): Promise<KeyCard> => {
    const { running, unsure } = await slotsHeld(database, key.id);
    return {
      ...entryOf(key, (await jobsOf(key.id)).all),
      version: keyVersion(key),
      windows: windows.flatMap(({ group, taken }) => {
        const { requests, rate } = taken[nth] ?? { requests: 0, rate: RATE_LIMITS[group] };
        // One that has to wait because of a 429 is full, however much was sent.
        return { group, used: Math.min(requests, rate), limit: rate };
      }),
      atService: running + unsure,
      changed: changeOf(lines, key.name),
    };
  };
  return Promise.all(keys.map(cardOf));
}

/** A key as it is listed, without the key. One that was removed is so whether it can be read or not. */
export function entryOf(
  { key, name, state, since, weight, tier, left }: ListedKey,
  jobs: number,
): PoolKeyEntry {
  const shown = key === undefined && state !== "removed" ? "unreadable" : state;
  return { name, state: shown, since, weight, tier, left, jobs };
}

/** A line of the audit begins with the name of its key, which has no space. */
function changeOf(lines: readonly AuditEntry[], name: string): KeyCard["changed"] {
  const last = lines.find(({ rule }) => rule?.startsWith(`${name} `));
  return last ? { at: last.at, by: last.user } : null;
}
