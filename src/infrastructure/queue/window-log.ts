import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { RateGroup } from "../../common/contract.ts";
import { ageOf, currentTime, instant } from "../../common/time.ts";
import type { Database } from "../storage/database.ts";
import { dialectOf } from "../storage/dialect.ts";
import { exclusive } from "../storage/exclusive.ts";
import type { DatabaseSchema } from "../storage/schema.ts";
import {
  blocked,
  counts,
  type Left,
  listOf,
  SERVER,
  type Slot,
  type SlotTable,
  slotTableIn,
  windowLock,
} from "../storage/slot-table.ts";

/** A slot, or for each scope asked for when it is free: milliseconds since 1970, in the past if it is now. */
export type Taken =
  | { readonly slot: Slot }
  | { readonly slot: undefined; readonly freeAt: readonly number[] };

/** What a slot is asked for with. */
interface Asking {
  /** Scopes without a limit that the slot counts in as well. */
  readonly noted?: readonly string[];
  /** What is left of each window to others. */
  readonly left?: Left;
  /** Who asks, again and again until they have a slot: of several processes, whoever has asked the longest gets the next one. */
  readonly waiter?: string;
}

/** How long after the start of a call the service may still count it, in windows. */
const LONGEST_ARRIVAL = 2;

/** How often slots are erased that count no more, in milliseconds, and whenever the clock was set: they are passed over until then. */
const SWEPT_MS = 1_000;

/**
 * The exact log of what counts towards the published rates (section 8.1), on disk: shared by every process
 * that uses the file, and still true after a restart.
 *
 * A slot is taken before a request leaves and comes back one window after its *answer*. The service counts
 * the request somewhere in between, so of any N + 1 requests the last arrives more than a window after one
 * of the others: no window of any phase, sliding or fixed, ever holds more than N.
 */
export class WindowLog {
  readonly #kysely: Kysely<DatabaseSchema>;
  readonly windowMs: number;
  readonly #table: SlotTable;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** @param windowMs the window in which the service counts, in milliseconds */
  constructor(database: Pick<Database, "kysely">, windowMs: number) {
    this.#kysely = database.kysely;
    this.windowMs = windowMs;
    this.#table = slotTableIn(database.kysely, { windowMs, heldMs: (1 + LONGEST_ARRIVAL) * windowMs });
  }

  /**
   * Takes a slot in all scopes or in none.
   * @param limit slots that may be taken of each scope's window
   */
  async take(
    group: RateGroup,
    scopes: readonly string[],
    limit: number,
    { noted = [], left, waiter }: Asking = {},
  ): Promise<Taken> {
    const now = currentTime();
    if (Math.abs(now - this.#sweptAt) > SWEPT_MS) {
      this.#sweptAt = now;
      await this.#table.sweep();
    }
    const slot = { id: randomUUID(), group, scopes: [...scopes, ...noted], askedAt: instant() };
    const waits = await this.#table.take({ ...slot, limited: scopes, limit, left, waiter });
    if (!waits) return { slot };
    // The database's clock may not be this one.
    const here = currentTime();
    return { slot: undefined, freeAt: waits.map((wait) => here + wait) };
  }

  /** How many slots of each scope's window are taken now; no number is higher than one of a scope where a 429 told us to wait. */
  async taken(group: RateGroup, scopes: readonly string[]): Promise<readonly number[]> {
    const { rows } = await sql<{ count: number; isBlocked: boolean }>`
      with clock as materialized (select now_ms() as now), limited (name, place) as (values ${listOf(scopes)})
      select (select count(*) from rate_slots where ${counts(group)}) as count,
        exists (select 1 from rate_blocks where ${blocked(group)} and until > clock.now) as "isBlocked"
      from clock, limited order by limited.place
    `.execute(this.#kysely);
    return rows.map(({ count, isBlocked }) => (isBlocked ? Number.POSITIVE_INFINITY : count));
  }

  /** Has a waiter wait no more, whether it took a slot or left. */
  leave(waiter: string): Promise<void> {
    return this.#table.leave(waiter);
  }

  /** To be called when the answer is there: from now on the slot counts for one more window. */
  release(slot: Slot): Promise<void> {
    return this.#table.release(slot);
  }

  /** To be called before the database is closed: what was released lately would count for longer. */
  flush(): Promise<void> {
    return this.#table.flush();
  }

  /**
   * Whether a request that leaves now counts in its slot for as long as the service may count it: not where this process stood still
   * in between.
   */
  isFresh({ askedAt }: Slot): boolean {
    return ageOf(askedAt) < this.windowMs;
  }

  /** Gives back a slot whose request was never sent. */
  async cancel(slot: Slot): Promise<void> {
    await this.#kysely.deleteFrom("rate_slots").where("id", "=", slot.id).execute();
  }

  /**
   * Notes a 429: something that is not in this log counts towards the same limit. Nothing is taken in the
   * scope for as long as the service asks or, where it does not say, for a quarter of a window, doubled up to
   * a whole one each time that it happens again.
   * @param sentAt when the refused request left; what was on its way when the waiting began is no new refusal
   * @param retryAfterMs what the service asked for, if it did
   */
  async block(group: RateGroup, scope: string, sentAt: number, retryAfterMs?: number): Promise<void> {
    const age = currentTime() - sentAt;
    await exclusive(this.#kysely, [windowLock(scope, group)], async (db) => {
      const now = await this.#now(db);
      await db
        .deleteFrom("rate_blocks")
        .where("until", "<", now - this.windowMs)
        .where("scope", "!=", SERVER)
        .execute();
      const last = await db
        .selectFrom("rate_blocks")
        .select(["since", "until"])
        .where("scope", "=", scope)
        .where("rate_group", "=", group)
        .executeTakeFirst();
      if (last && now - age <= last.since && retryAfterMs === undefined) return;
      const guess = last ? Math.min(2 * (last.until - last.since), this.windowMs) : this.windowMs / 4;
      const until = Math.max(last?.until ?? now, now + Math.ceil(retryAfterMs ?? guess));
      await db
        .insertInto("rate_blocks")
        .values({ scope, rate_group: group, since: now, until })
        .onConflict((known) => known.columns(["scope", "rate_group"]).doUpdateSet({ since: now, until }))
        .execute();
    });
  }

  /** Whether a scope that begins with `prefix`, other than this one, met a 429 within the last window. */
  async blockedToo(group: RateGroup, prefix: string, scope: string): Promise<boolean> {
    const other = await this.#kysely
      .selectFrom("rate_blocks")
      .select("scope")
      .where("rate_group", "=", group)
      .where("scope", "!=", scope)
      .where("since", ">=", (await this.#now()) - this.windowMs)
      .execute();
    return other.some((block) => block.scope.startsWith(prefix));
  }

  #now(db = this.#kysely): Promise<number> {
    return dialectOf(db).now(db);
  }
}
