import { isUsed, type LookedKey } from "../../accounts/look-at-key.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import type { PoolKey } from "../../pool/key-pool.ts";
import { GOING_ON, LAST_AT } from "../../jobs/row.ts";
import type { Sighting } from "../alert.ts";
import { ACCOUNT_EVERY_MS } from "../patience.ts";
import type { Watcher } from "../watcher.ts";

const DAY_MS = 24 * 3_600_000;

/** What the pace is measured over, in milliseconds: a week has its quiet days in it. */
const PACE_MS = 7 * DAY_MS;

/** What the operator's keys are looked at with. */
interface KeysWatchParts {
  /** Asks the service about them. */
  readonly keys: (stop: AbortSignal) => Promise<readonly LookedKey[]>;
  /** What is known of them, those too that take no jobs. */
  readonly pool: () => Promise<readonly Pick<PoolKey, "name" | "state">[]>;
  readonly database: Pick<Database, "kysely">;
  /** For how many days tokens are to last; 0: that is not looked at. */
  readonly tokenDays: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Sees which of the operator's keys the service refuses, which have too few tokens, and that the tokens of all end soon. */
export function watchKeys({ keys, pool, database, tokenDays, now }: KeysWatchParts): Watcher {
  return {
    everyMs: ACCOUNT_EVERY_MS,
    once: true,
    async look(stop) {
      const looked = await keys(stop);
      const left = looked.flatMap(({ key }) => sightingsOf(key));
      const taken = looked.filter(({ key }) => key.state !== "refused");
      // What one of them does not tell may be most of it.
      if (taken.length === 0 || taken.some(({ tokens }) => tokens === undefined)) return left;
      const tokens = taken.reduce((sum, one) => sum + Math.max(0, one.tokens ?? 0), 0);
      const at = now();
      const perDay = await paceOf(
        database,
        taken.map(({ key }) => key.id),
        at,
      );
      if (perDay === 0 || tokens >= perDay * tokenDays) return left;
      const ends = Math.round(at + (tokens / perDay) * DAY_MS);
      return [...left, { kind: "tokens_ending", params: { at: ends, left: tokens } }];
    },
    removed: {
      kinds: ["key_refused", "key_empty", "tokens_ending"],
      async isRemoved({ of }) {
        const used = (await pool()).filter(isUsed);
        return of === undefined ? used.length === 0 : used.every(({ name }) => name !== of);
      },
    },
  };
}

function sightingsOf({ name, state, left }: LookedKey["key"]): readonly Sighting[] {
  if (state === "refused") return [{ kind: "key_refused", of: name, params: { name } }];
  return state === "empty" ? [{ kind: "key_empty", of: name, params: { name, left: left ?? 0 } }] : [];
}

/** Tokens a day that jobs of the last week cost under some keys; of a younger installation, of its days. */
async function paceOf(
  { kysely }: Pick<Database, "kysely">,
  keys: readonly string[],
  now: number,
): Promise<number> {
  const since = now - PACE_MS;
  const accepted = kysely
    .selectFrom("jobs")
    .select(["cost", "accepted_at"])
    .where("key_id", "in", keys)
    .where("accepted_at", ">=", since);
  // By an index each: of what ended before, there may be years.
  const ended = accepted.where("ended_at", "is not", null).where(LAST_AT, ">=", since);
  const running = accepted.where("going_on", "=", GOING_ON).where("ended_at", "is", null);
  const spent = await kysely
    .selectFrom(ended.unionAll(running).as("spent"))
    .select(({ fn }) => [
      fn.sum<number | string | null>("cost").as("tokens"),
      fn.min("accepted_at").as("first"),
    ])
    .executeTakeFirst();
  if (!spent?.first) return 0;
  const days = Math.max(1, Math.min(PACE_MS, now - spent.first) / DAY_MS);
  return Math.max(0, Number(spent.tokens ?? 0)) / days;
}
