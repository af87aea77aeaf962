import { randomUUID } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { RateGroup } from "../../common/contract.ts";
import { ageOf, currentTime, instant, type Instant } from "../../common/time.ts";
import type { Database } from "../storage/database.ts";
import { dialectOf } from "../storage/dialect.ts";
import { exclusive, exclusiveStatement, type LockName } from "../storage/exclusive.ts";
import type { DatabaseSchema } from "../storage/schema.ts";

/** A request's place in the window of every scope that it counts towards. */
export interface WindowSlot {
  readonly id: string;
  readonly group: RateGroup;
  readonly scopes: readonly string[];
  /** Before it was taken. */
  readonly askedAt: Instant;
}

/** A slot, or for each scope asked for when it is free: milliseconds since 1970, in the past if it is now. */
export type Taken =
  | { readonly slot: WindowSlot }
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

/** What is left of a window to those who take slots in another scope: as many as they took lately, but so many at least and at most. */
export interface Left {
  readonly scope: string;
  readonly least: number;
  readonly most: number;
}

/** What is found out of a scope's window. */
interface Row {
  readonly now: number;
  /** When the slot goes that is waited for. */
  readonly last: number | null;
  /** Until when a 429 told us to wait. */
  readonly block: number | null;
  /** Whether somebody waits here for longer. */
  readonly isBehind: boolean;
}

/** How long after the start of a call the service may still count it, in windows. */
const LONGEST_ARRIVAL = 2;

/** A free slot is kept for so long for whoever has waited the longest, in milliseconds; meanwhile the others look so often. */
const KEPT_MS = 250;
const BEHIND_MS = 20;

/** Instead of a scope: which server keeps the log, and from when on it may be relied on. */
const SERVER = "server";

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
  /** Where a server keeps the log that another one may take the place of: a statement's part that tells which it is. */
  readonly #server: RawBuilder<unknown> | undefined;
  /** Waiters that others know of. */
  readonly #waiting = new Set<string>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** @param windowMs the window in which the service counts, in milliseconds */
  constructor(database: Pick<Database, "kysely">, windowMs: number) {
    this.#kysely = database.kysely;
    this.windowMs = windowMs;
    this.#server = dialectOf(database.kysely).server;
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
      if (this.#server && this.#sweptAt === Number.NEGATIVE_INFINITY) await this.#meet(this.#server);
      this.#sweptAt = now;
      await this.#sweep();
    }
    const slot = { id: randomUUID(), group, scopes: [...scopes, ...noted], askedAt: instant() };
    const full = this.#full(limit, group, left);
    // Held for as long as the call may count. A process that is killed meanwhile leaves it to expire.
    const taking = sql`
      insert into rate_slots (id, scope, rate_group, until)
      with clock as materialized (select now_ms() as now),
        counted (name, place) as (values ${listOf(slot.scopes)}),
        limited (name, place) as (values ${listOf(scopes)})
      select ${slot.id}, counted.name, ${group}, clock.now + ${this.#heldMs}
      from clock, counted
      where ${this.#isKnown} and not exists (
        select 1 from limited
        where ${this.#last(group, full)} is not null
          or exists (select 1 from rate_blocks where ${blocked(group)} and until > clock.now)
          or ${this.#isBehind(group, waiter)})
    `;
    const names = [...slot.scopes, ...(left ? [left.scope] : [])].map((scope) => nameOf(scope, group));
    const { numAffectedRows } = await exclusiveStatement(this.#kysely, names, (db) => taking.execute(db));
    if (numAffectedRows !== 0n) return { slot };
    return { slot: undefined, freeAt: await this.#freeAt(group, scopes, full, waiter) };
  }

  /** How many slots of each scope's window are taken now; no number is higher than one of a scope where a 429 told us to wait. */
  async taken(group: RateGroup, scopes: readonly string[]): Promise<readonly number[]> {
    const { rows } = await sql<{ count: number; isBlocked: boolean }>`
      with clock as materialized (select now_ms() as now), limited (name, place) as (values ${listOf(scopes)})
      select (select count(*) from rate_slots where ${this.#counts(sql`limited.name`, group)}) as count,
        exists (select 1 from rate_blocks where ${blocked(group)} and until > clock.now) as "isBlocked"
      from clock, limited order by limited.place
    `.execute(this.#kysely);
    return rows.map(({ count, isBlocked }) => (isBlocked ? Number.POSITIVE_INFINITY : count));
  }

  /** Has a waiter wait no more, whether it took a slot or left. */
  async leave(waiter: string): Promise<void> {
    if (this.#waiting.delete(waiter))
      await this.#kysely.deleteFrom("rate_waits").where("waiter", "=", waiter).execute();
  }

  /** To be called when the answer is there: from now on the slot counts for one more window. */
  async release(slot: WindowSlot): Promise<void> {
    const until = sql<number>`now_ms() + ${this.windowMs}`;
    const rows = slot.scopes.map((scope) => ({ id: slot.id, scope, rate_group: slot.group, until }));
    await this.#kysely
      .insertInto("rate_slots")
      .values(rows)
      .onConflict((held) => held.columns(["id", "scope"]).doUpdateSet({ until }))
      .execute();
  }

  /**
   * Whether a request that leaves now counts in its slot for as long as the service may count it: not where this process stood still
   * in between.
   */
  isFresh({ askedAt }: WindowSlot): boolean {
    return ageOf(askedAt) < this.windowMs;
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
    const age = currentTime() - sentAt;
    await exclusive(this.#kysely, [nameOf(scope, group)], async (db) => {
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

  /** How long a slot counts if no answer is ever seen, in milliseconds. */
  get #heldMs(): number {
    return (1 + LONGEST_ARRIVAL) * this.windowMs;
  }

  /** Erases what counts no more. What is later than this clock can have given is from before it was set back: it counts anew. */
  async #sweep(): Promise<void> {
    // Asked once, so that an index leads to what is later or earlier: the time is another one for each row.
    const [now, latest] = [sql`(select now_ms())`, sql`(select now_ms() + ${this.#heldMs})`];
    await sql`delete from rate_slots where until < ${now}`.execute(this.#kysely);
    if (this.#server)
      await sql`delete from rate_waits where until < now_ms() - ${this.windowMs}`.execute(this.#kysely);
    await sql`update rate_slots set until = ${latest} where until > ${latest}`.execute(this.#kysely);
    await sql`
      update rate_blocks set since = now_ms(), until = now_ms() + until - since where since > now_ms()
    `.execute(this.#kysely);
  }

  /** When each scope has a slot. A waiter is known to others from then on in the scope that it waits for. */
  async #freeAt(
    group: RateGroup,
    scopes: readonly string[],
    full: RawBuilder<unknown>,
    waiter: string | undefined,
  ): Promise<readonly number[]> {
    const { rows } = await sql<Row>`
      with clock as materialized (select now_ms() as now), limited (name, place) as (values ${listOf(scopes)})
      select clock.now, ${this.#last(group, full)} as last, ${this.#isBehind(group, waiter)} as "isBehind",
        (select max(until) from rate_blocks where ${blocked(group)} or scope = ${SERVER}) as block
      from clock, limited order by limited.place
    `.execute(this.#kysely);
    const here = currentTime();
    const waits = rows.map(({ now, last, block, isBehind }) => {
      // A call that is still out gives its slot back one window from now at the earliest. The clock's
      // millisecond has a fraction, so that a slot is free only in the one after.
      const free = last === null ? now : Math.min(last, now + this.windowMs) + 1;
      const wait = Math.max(free, block ?? now) - now;
      return isBehind ? Math.max(wait, BEHIND_MS) : wait;
    });
    // There is room, and nothing was taken: another server may have taken the place of the one that was known.
    if (this.#server && waits.every((wait) => wait <= 0)) await this.#meet(this.#server);
    // It stays in the line of the first scope alone that it waits for: at the others it would keep out who need not wait.
    const scope = scopes[waits.findIndex((wait) => wait > 0)];
    if (this.#server && waiter !== undefined && scope !== undefined)
      await this.#wait(group, scope, waiter, Math.max(...waits));
    // The database's clock may not be this one.
    return waits.map((wait) => here + wait);
  }

  /** Tells others that somebody waits, since when they first did, and for how long a slot is kept for them. */
  async #wait(group: RateGroup, scope: string, waiter: string, ms: number): Promise<void> {
    this.#waiting.add(waiter);
    const until = sql`now_ms() + ${Math.ceil(ms) + KEPT_MS}`;
    await sql`
      insert into rate_waits (waiter, scope, rate_group, since, until)
      values (${waiter}, ${scope}, ${group}, now_ms(), ${until})
      on conflict (waiter) do update set scope = excluded.scope, until = excluded.until
    `.execute(this.#kysely);
  }

  /** Whether somebody else who waits in `limited` has waited for longer. The processes of one machine are all as near to its file. */
  #isBehind(group: RateGroup, waiter: string | undefined) {
    if (!this.#server || waiter === undefined) return sql`false`;
    return sql`exists (
      select 1 from rate_waits as other
      where other.scope = limited.name and other.rate_group = ${group} and other.waiter <> ${waiter}
        and other.until >= (select now from clock)
        and other.since < coalesce((select since from rate_waits where waiter = ${waiter}), other.since + 1))`;
  }

  /** Whether the log holds what was taken in it: a server that took another one's place may lack the end of it. */
  get #isKnown() {
    if (!this.#server) return sql`true`;
    return sql`exists (
      select 1 from rate_blocks
      where scope = ${SERVER} and rate_group = ${this.#server} and until <= (select now from clock))`;
  }

  /** A server that nobody has met counts every slot as taken for one window; the first one is nobody's successor. */
  async #meet(server: RawBuilder<unknown>): Promise<void> {
    await exclusive(this.#kysely, [`rate:${SERVER}/${SERVER}`], async (db) => {
      await sql`
        insert into rate_blocks (scope, rate_group, since, until)
        select ${SERVER}, ${server}, now_ms(), now_ms() + case
          when exists (select 1 from rate_blocks where scope = ${SERVER}) then ${this.windowMs}::bigint else 0 end
        on conflict (scope, rate_group) do nothing
      `.execute(db);
      await sql`delete from rate_blocks where scope = ${SERVER} and rate_group <> ${server}`.execute(db);
    });
  }

  /**
   * When the slot goes that `limited` waits for, null where it waits for none: of the slots that count now, all but one less
   * than the limit must have gone.
   */
  #last(group: RateGroup, full: RawBuilder<unknown>) {
    return sql`(select until from rate_slots where ${this.#counts(sql`limited.name`, group)}
      order by until desc limit 1 offset ${full})`;
  }

  /** What counts in a scope now. */
  #counts(scope: RawBuilder<unknown>, group: RateGroup) {
    return sql`scope = ${scope} and rate_group = ${group} and until >= (select now from clock)`;
  }

  /** With so many slots, and one more, a window is full. */
  #full(limit: number, group: RateGroup, left: Left | undefined) {
    if (!left) return sql`${limit - 1}`;
    const { scope, least, most } = left;
    const taken = sql`(select count(*) from rate_slots where ${this.#counts(sql`${scope}`, group)})`;
    const { greater, lesser } = dialectOf(this.#kysely);
    const lent = lesser(sql`${most}`, greater(sql`${least}`, taken));
    return greater(sql`0`, sql`${limit - 1} - ${lent}`);
  }
}

const nameOf = (scope: string, group: RateGroup): LockName => `rate:${scope}/${group}`;

/** The pause of `limited`. */
const blocked = (group: RateGroup) => sql`scope = limited.name and rate_group = ${group}`;

/** Scopes, each with its place among them. */
const listOf = (scopes: readonly string[]) =>
  sql.join(scopes.map((scope, place) => sql`(${scope}, ${sql.lit(place)})`));
