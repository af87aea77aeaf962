import { type RawBuilder, sql } from "kysely";
import type { RateGroup } from "../../common/contract.ts";
import { ageOf, instant, type Instant } from "../../common/time.ts";
import type { Database } from "./database.ts";
import { dialectOf } from "./dialect.ts";
import { exclusive, type LockName } from "./exclusive.ts";

/** A slot that is asked for, or was taken. */
export interface Slot {
  readonly id: string;
  readonly group: RateGroup;
  /** In whose windows it counts. */
  readonly scopes: readonly string[];
  /** Before it was taken. */
  readonly askedAt: Instant;
}

/** What is left of a window to those who take slots in another scope: as many as they took lately, but so many at least and at most. */
export interface Left {
  readonly scope: string;
  readonly least: number;
  readonly most: number;
}

/** What a slot is asked for with. */
interface SlotRequest extends Slot {
  /** Those of its scopes that have a limit. */
  readonly limited: readonly string[];
  /** Slots that may be taken of each of their windows. */
  readonly limit: number;
  readonly left: Left | undefined;
  /** Who asks, again and again until they have a slot. */
  readonly waiter: string | undefined;
}

/** Where the slots of windows are kept; all times in milliseconds. */
export interface SlotTable {
  /**
   * Takes a slot in all scopes or in none.
   * @returns undefined where it was taken; else for each limited scope how long it is to be waited for, 0 where it is free
   */
  take(wanted: SlotRequest): Promise<readonly number[] | undefined>;
  /** Has a slot count for one more window from now on. A crash may take that back: then it counts for longer. */
  release(slot: Slot): Promise<void>;
  /** Has somebody wait no more who asked for a slot. */
  leave(waiter: string): Promise<void>;
  /** Erases what counts no more. What is later than this clock can have given is from before it was set back: it counts anew. */
  sweep(): Promise<void>;
  /** Has what was released be written. */
  flush(): Promise<void>;
}

/** How long a window is, and for how long a slot counts if no answer is ever seen, in milliseconds. */
interface Times {
  readonly windowMs: number;
  readonly heldMs: number;
}

type Kysely = Database["kysely"];

/** In a database that may be a file or on a server. */
export const slotTableIn = (db: Kysely, times: Times): SlotTable => {
  const { server } = dialectOf(db);
  return server ? new ServerSlotTable(db, times, server) : new FileSlotTable(db, times);
};

/** What is released is written with the next slot that is taken, or after so long: in milliseconds. */
const RELEASED_WITHIN_MS = 100;

/** A slot whose answer is there. */
interface Released extends Omit<Slot, "askedAt"> {
  readonly at: Instant;
}

/** In SQLite, where one statement is alone, and the processes of one machine are all as near to the file. */
class FileSlotTable implements SlotTable {
  readonly #db: Kysely;
  readonly #times: Times;
  /** Not written so yet. */
  #released: readonly Released[] = [];
  #willFlush = false;

  constructor(db: Kysely, times: Times) {
    this.#db = db;
    this.#times = times;
  }

  async take({
    id,
    group,
    scopes,
    limited,
    limit,
    left,
  }: SlotRequest): Promise<readonly number[] | undefined> {
    const last = lastIn(group, limit, left);
    const taken = await this.#write(sql`
      with clock as materialized (select now_ms() as now),
        counted (name, place) as (values ${listOf(scopes)}),
        limited (name, place) as (values ${listOf(limited)})
      select ${id}, counted.name, ${group}, clock.now + ${this.#times.heldMs}
      from clock, counted
      where not exists (
        select 1 from limited
        where ${last} is not null or exists (select 1 from rate_blocks where ${blocked(group)} and until > clock.now))
      union all`);
    if (taken > 0) return undefined;
    const { rows } = await sql<{
      readonly now: number;
      readonly last: number | null;
      readonly block: number | null;
    }>`
      with clock as materialized (select now_ms() as now), limited (name, place) as (values ${listOf(limited)})
      select clock.now, ${last} as last, (select until from rate_blocks where ${blocked(group)}) as block
      from clock, limited order by limited.place
    `.execute(this.#db);
    // A call that is still out gives its slot back one window from now at the earliest. The clock's
    // millisecond has a fraction, so that a slot is free only in the one after.
    return rows.map(({ now, last: until, block }) =>
      Math.max(0, until === null ? 0 : Math.min(until - now, this.#times.windowMs) + 1, (block ?? now) - now),
    );
  }

  async release({ id, group, scopes, askedAt }: Slot): Promise<void> {
    this.#released = [...this.#released, { id, group, scopes, at: instant() }];
    // One that is out for long may soon seem never to have been answered.
    if (ageOf(askedAt) > this.#times.windowMs) return this.flush();
    if (this.#willFlush) return;
    this.#willFlush = true;
    setTimeout(() => {
      this.#willFlush = false;
      // What is not written now is tried again with the next slot.
      this.flush().catch(() => undefined);
    }, RELEASED_WITHIN_MS);
  }

  async flush(): Promise<void> {
    if (this.#released.length > 0) await this.#write(sql``);
  }

  /**
   * Writes what was released, and what is added: in one statement, for each is a commit.
   * @param added a query, up to the word that joins it with another
   * @returns how many rows were added
   */
  async #write(added: RawBuilder<unknown>): Promise<number> {
    const released = this.#released;
    this.#released = [];
    const rows = released.flatMap(({ id, scopes, group, at }) => {
      const left = this.#times.windowMs - Math.floor(ageOf(at));
      return scopes.map((scope) => [id, scope, group, left] as const);
    });
    try {
      const { numAffectedRows = 0n } = await sql`
        insert into rate_slots (id, scope, rate_group, until) ${added}
        select value ->> 0, value ->> 1, value ->> 2, now_ms() + (value ->> 3) from json_each(${JSON.stringify(rows)}) where true
        on conflict (id, scope) do update set until = excluded.until
      `.execute(this.#db);
      return Number(numAffectedRows) - rows.length;
    } catch (error) {
      this.#released = [...released, ...this.#released];
      throw error;
    }
  }

  /** Nobody is known to wait. */
  async leave(): Promise<void> {}

  async sweep(): Promise<void> {
    // Asked once, so that an index leads to what is later or earlier: the time is another one for each row.
    const [now, latest] = [sql`(select now_ms())`, sql`(select now_ms() + ${this.#times.heldMs})`];
    await sql`delete from rate_slots where until < ${now}`.execute(this.#db);
    await sql`update rate_slots set until = ${latest} where until > ${latest}`.execute(this.#db);
    await sql`
      update rate_blocks set since = now_ms(), until = now_ms() + until - since where since > now_ms()
    `.execute(this.#db);
  }
}

/** A free slot is kept for so long for whoever has waited the longest, in milliseconds; meanwhile the others look so often. */
const KEPT_MS = 250;
const BEHIND_MS = 20;

/** Instead of a scope: which server keeps the log, and from when on it may be relied on. */
export const SERVER = "server";

/** On a server, by its own functions (`postgres/rate-slots.ts`): of several processes, whoever has asked the longest gets the next slot. */
class ServerSlotTable implements SlotTable {
  readonly #db: Kysely;
  readonly #times: Times;
  /** A statement's part that tells which one it is. */
  readonly #server: RawBuilder<unknown>;
  /** Who waits as far as others know. */
  readonly #waiting = new Set<string>();

  constructor(db: Kysely, times: Times, server: RawBuilder<unknown>) {
    this.#db = db;
    this.#times = times;
    this.#server = server;
  }

  async take(wanted: SlotRequest): Promise<readonly number[] | undefined> {
    const { id, group, scopes, limited, limit, left, waiter = null } = wanted;
    const noted = scopes.filter((scope) => !limited.includes(scope));
    // In one order, so that no two wait for each other.
    const names = [...scopes, ...(left ? [left.scope] : [])]
      .map((scope) => windowLock(scope, group))
      .toSorted();
    const { windowMs, heldMs } = this.#times;
    const { rows } = await sql<{ readonly waits: readonly number[] | null }>`
      select take_slot(${id}, ${group}, ${limited}, ${noted}, ${names}, ${limit}, ${left?.scope ?? null}, ${left?.least ?? null},
        ${left?.most ?? null}, ${waiter}, ${windowMs}, ${heldMs}, ${KEPT_MS}, ${BEHIND_MS}) as waits
    `.execute(this.#db);
    const waits = rows[0]?.waits;
    if (waits?.length === 0) {
      await this.#meet();
      return this.take(wanted);
    }
    if (waits && waiter !== null) this.#waiting.add(waiter);
    else if (waiter !== null) this.#waiting.delete(waiter);
    return waits ?? undefined;
  }

  async release({ id, group, scopes }: Slot): Promise<void> {
    await sql`select release_slot(${id}, ${group}, ${scopes}, ${this.#times.windowMs})`.execute(this.#db);
  }

  async leave(waiter: string): Promise<void> {
    if (this.#waiting.delete(waiter))
      await this.#db.deleteFrom("rate_waits").where("waiter", "=", waiter).execute();
  }

  /** It is written at once, without waiting for the disk. */
  async flush(): Promise<void> {}

  async sweep(): Promise<void> {
    await sql`select sweep_slots(${this.#times.windowMs}, ${this.#times.heldMs})`.execute(this.#db);
  }

  /** A server that nobody has met counts every slot as taken for one window; the first one is nobody's successor. */
  async #meet(): Promise<void> {
    await exclusive(this.#db, [windowLock(SERVER, SERVER)], async (db) => {
      await sql`
        insert into rate_blocks (scope, rate_group, since, until)
        select ${SERVER}, ${this.#server}, now_ms(), now_ms() + case
          when exists (select 1 from rate_blocks where scope = ${SERVER}) then ${this.#times.windowMs}::bigint else 0 end
        on conflict (scope, rate_group) do nothing
      `.execute(db);
      await sql`delete from rate_blocks where scope = ${SERVER} and rate_group <> ${this.#server}`.execute(
        db,
      );
    });
  }
}

/** Whoever changes a scope's window names it so. */
export const windowLock = (scope: string, group: RateGroup | typeof SERVER): LockName =>
  `rate:${scope}/${group}`;

/**
 * When the slot goes that `limited` waits for, null where it waits for none: of the slots that count now, all but one less
 * than the limit must have gone.
 */
function lastIn(group: RateGroup, limit: number, left: Left | undefined) {
  return sql`(select until from rate_slots where ${counts(group)}
    order by until desc limit 1 offset ${fullAt(group, limit, left)})`;
}

/** With so many slots, and one more, a window is full. */
function fullAt(group: RateGroup, limit: number, left: Left | undefined) {
  if (!left) return sql`${limit - 1}`;
  const taken = sql`(select count(*) from rate_slots where ${counts(group, sql`${left.scope}`)})`;
  return sql`max(0, ${limit - 1} - min(${left.most}, max(${left.least}, ${taken})))`;
}

/** What counts now in a scope, `limited` unless given. */
export const counts = (group: RateGroup, scope: RawBuilder<unknown> = sql`limited.name`) =>
  sql`scope = ${scope} and rate_group = ${group} and until >= (select now from clock)`;

/** The pause of `limited`. */
export const blocked = (group: RateGroup) => sql`scope = limited.name and rate_group = ${group}`;

/** Scopes, each with its place among them. */
export const listOf = (scopes: readonly string[]) =>
  sql.join(scopes.map((scope, place) => sql`(${scope}, ${sql.lit(place)})`));
