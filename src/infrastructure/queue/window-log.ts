import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RateGroup } from "../../common/contract.ts";
import type { Database } from "../storage/database.ts";
import type { DatabaseSchema } from "../storage/schema.ts";

/** A request's place in the window of every scope that it counts towards. */
export interface WindowSlot {
  readonly id: string;
  readonly group: RateGroup;
  readonly scopes: readonly string[];
}

/** A slot, or for each scope asked for when it is free: milliseconds since 1970, in the past if it is now. */
export type Taken =
  | { readonly slot: WindowSlot }
  | { readonly slot: undefined; readonly freeAt: readonly number[] };

/** How long after the start of a call the service may still count it, in windows. */
const LONGEST_ARRIVAL = 2;

/** How often slots are erased that count no more, in milliseconds: they are passed over until then. */
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
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** @param windowMs the window in which the service counts, in milliseconds */
  constructor(database: Pick<Database, "kysely">, windowMs: number) {
    this.#kysely = database.kysely;
    this.windowMs = windowMs;
  }

  /**
   * Takes a slot in all scopes or in none.
   * @param limit slots that may be taken of each scope's window
   * @param noted scopes without a limit that the slot counts in as well, for {@link count}
   */
  async take(
    group: RateGroup,
    scopes: readonly string[],
    limit: number,
    noted: readonly string[] = [],
  ): Promise<Taken> {
    return this.#kysely.transaction().execute(async (db) => {
      const now = Date.now();
      if (Math.abs(now - this.#sweptAt) > SWEPT_MS) {
        this.#sweptAt = now;
        await db
          .deleteFrom("rate_slots")
          .where((slot) => slot.or([slot("until", "<", now), slot("until", ">", this.#held(now))]))
          .execute();
      }
      const freeAt = [];
      for (const scope of scopes) freeAt.push(await this.#freeAt(db, group, scope, limit, now));
      if (freeAt.some((at) => at > now)) return { slot: undefined, freeAt };
      const slot = { id: randomUUID(), group, scopes: [...scopes, ...noted] };
      // Held for as long as the call may count. A process that is killed meanwhile leaves it to expire.
      await insert(db, slot, this.#held(now));
      return { slot };
    });
  }

  /** How many slots of a scope count now. */
  async count(group: RateGroup, scope: string): Promise<number> {
    const now = Date.now();
    const { slots } = await this.#kysely
      .selectFrom("rate_slots")
      .select(({ fn }) => fn.countAll<number>().as("slots"))
      .where("scope", "=", scope)
      .where("rate_group", "=", group)
      .where("until", ">=", now)
      .where("until", "<=", this.#held(now))
      .executeTakeFirstOrThrow();
    return slots;
  }

  /** To be called when the answer is there: from now on the slot counts for one more window. */
  async release(slot: WindowSlot): Promise<void> {
    await insert(this.#kysely, slot, Date.now() + this.windowMs);
  }

  /** Gives back a slot whose request was never sent. */
  async cancel(slot: WindowSlot): Promise<void> {
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
    await this.#kysely.transaction().execute(async (db) => {
      const now = Date.now();
      await db
        .deleteFrom("rate_blocks")
        .where("until", "<", now - this.windowMs)
        .execute();
      const last = await db
        .selectFrom("rate_blocks")
        .select(["since", "until"])
        .where("scope", "=", scope)
        .where("rate_group", "=", group)
        .executeTakeFirst();
      if (last && sentAt <= last.since && retryAfterMs === undefined) return;
      const guess = last ? Math.min(2 * (last.until - last.since), this.windowMs) : this.windowMs / 4;
      const until = Math.max(last?.until ?? now, now + Math.ceil(retryAfterMs ?? guess));
      await db.replaceInto("rate_blocks").values({ scope, rate_group: group, since: now, until }).execute();
    });
  }

  /** Whether a scope that begins with `prefix`, other than this one, met a 429 within the last window. */
  async blockedToo(group: RateGroup, prefix: string, scope: string): Promise<boolean> {
    const other = await this.#kysely
      .selectFrom("rate_blocks")
      .select("scope")
      .where("rate_group", "=", group)
      .where("scope", "!=", scope)
      .where("since", ">=", Date.now() - this.windowMs)
      .execute();
    return other.some((block) => block.scope.startsWith(prefix));
  }

  /** Until when a slot taken now counts if no answer is ever seen. */
  #held(now: number): number {
    return now + (1 + LONGEST_ARRIVAL) * this.windowMs;
  }

  async #freeAt(db: Kysely<DatabaseSchema>, group: RateGroup, scope: string, limit: number, now: number) {
    // Of the slots that count now, all but `limit - 1` must have gone. Those beyond what this clock can have
    // given date from before it was set back.
    const found = await db
      .selectNoFrom((row) => [
        row
          .selectFrom("rate_slots")
          .select("until")
          .where("scope", "=", scope)
          .where("rate_group", "=", group)
          .where("until", ">=", now)
          .where("until", "<=", this.#held(now))
          .orderBy("until", "desc")
          .limit(1)
          .offset(limit - 1)
          .as("last"),
        row
          .selectFrom("rate_blocks")
          .select("until")
          .where("scope", "=", scope)
          .where("rate_group", "=", group)
          .as("block"),
      ])
      .executeTakeFirstOrThrow();
    // A call that is still out gives its slot back one window from now at the earliest. The clock's
    // millisecond has a fraction, so that a slot is free only in the one after.
    const free = found.last === null ? now : Math.min(found.last, now + this.windowMs) + 1;
    return Math.max(free, found.block ?? now);
  }
}

async function insert(db: Kysely<DatabaseSchema>, slot: WindowSlot, until: number): Promise<void> {
  await db
    .replaceInto("rate_slots")
    .values(slot.scopes.map((scope) => ({ id: slot.id, scope, rate_group: slot.group, until })))
    .execute();
}
