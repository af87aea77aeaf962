import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { ReelayError } from "../../../common/errors.ts";
import { CHANNEL, type PostgresBell } from "./bell.ts";
import { type Change, changeOf, type ReadCache } from "../read-cache.ts";
import { type NamedStatement, StatementNames } from "./statement-names.ts";

/**
 * Errors that say that the server, or the way to it, is not as it should be: by their class, or by the system's name for them. A
 * server that became a standby writes nothing, and a transaction that was given up, because it stood still, because it and others waited
 * for each other, or for too long, can be done once more.
 */
const DOWN = /^(?:08|25006|25P03|40P01|53|55P03|57014|57P|58|XX|E[A-Z]{3,}$)/;

/** What the driver says of a connection that is of no use any more, without a code: it may still wait for an answer. */
const LOST = /terminated|timeout|timed out|not queryable/i;

/** What a server answers. */
interface DriverResult<R> extends PostgresQueryResult<R> {
  readonly fields: readonly { readonly name: string }[];
}

/** A connection of the driver's. */
interface DriverConnection {
  /** Of one with a name, the server is sent no more than that and the values once it knows it. */
  query<R>(statement: NamedStatement & { readonly values: readonly unknown[] }): Promise<DriverResult<R>>;
  query<R>(text: string, values: readonly unknown[]): Promise<DriverResult<R>>;
  release(destroy?: boolean): void;
  on(event: "error", hear: (error: Error) => void): unknown;
}

/** Connections of the driver's. */
export interface DriverPool extends Omit<PostgresPool, "connect"> {
  connect(): Promise<DriverConnection>;
}

/**
 * For how long a server goes by what it has planned for a connection, in milliseconds: it would as long as nobody has looked at the tables
 * (autovacuum), which may have grown from nothing meanwhile.
 */
const PLANNED_MS = 60_000;

/** Connections whose every change what is kept in mind hears of, and that know what is asked again and again by its name. */
export class WatchedPool implements PostgresPool {
  readonly #pool: DriverPool;
  readonly #reads: ReadCache;
  readonly #bell: PostgresBell;
  readonly #names = new StatementNames();
  /** Kysely knows a connection by its object. */
  readonly #watched = new WeakMap<DriverConnection, PostgresPoolClient>();
  /** Since when what is planned for a connection is kept, by the clock of this process, which nobody sets. */
  readonly #plannedAt = new WeakMap<DriverConnection, number>();

  constructor(pool: DriverPool, reads: ReadCache, bell: PostgresBell) {
    this.#pool = pool;
    this.#reads = reads;
    this.#bell = bell;
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asStorageError(error);
    });
    const watched = this.#watched.get(client) ?? watch(client, this.#reads, this.#bell, this.#names);
    this.#watched.set(client, watched);
    const now = performance.now();
    const plannedAt = this.#plannedAt.get(client) ?? now;
    const isOld = now - plannedAt > PLANNED_MS;
    this.#plannedAt.set(client, isOld ? now : plannedAt);
    if (isOld) await this.#planAnew(watched);
    return watched;
  }

  async #planAnew(client: PostgresPoolClient): Promise<void> {
    try {
      await client.query("discard plans", []);
    } catch (error) {
      client.release();
      throw error;
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** What a rollback answers. */
const NOTHING = { command: "ROLLBACK", rowCount: 0, rows: [] } as const satisfies PostgresQueryResult<never>;

function watch(
  client: DriverConnection,
  reads: ReadCache,
  bell: PostgresBell,
  names: StatementNames,
): PostgresPoolClient {
  /** What was changed in the transaction that is open. */
  let changes: { readonly change: Change; readonly values: readonly unknown[]; readonly row?: unknown }[] =
    [];
  let isInTransaction = false;
  let isLost = false;
  /** What the server said when it ended the connection while nothing was asked of it: what is asked next fails of that. */
  let ended: Error | undefined;
  client.on("error", (error) => void (ended ??= error));

  async function send<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Without values it may be several statements at once.
    if (values.length === 0) return client.query<R>(text, values);
    const named = names.of(text);
    if (named) return client.query<R>({ ...named, values });
    const result = await client.query<R>(text, values);
    names.ran(
      text,
      result.fields.map(({ name }) => name),
    );
    return result;
  }

  async function run<R>(
    text: string,
    values: readonly unknown[],
    change?: Change,
  ): Promise<PostgresQueryResult<R>> {
    let row: unknown;
    let isDone = false;
    try {
      if (text === "commit") await tell();
      const result = await send<R>(text, values);
      if (change?.answers) [row] = result.rows;
      isDone = true;
      return result;
    } catch (error) {
      isLost ||= isLostBy(error) || text === "rollback";
      // What was begun ends with the connection, and why it was to be undone is not to be forgotten over that.
      if (text === "rollback") return NOTHING;
      throw ended && isLostBy(error) ? new DatabaseAway(ended) : asStorageError(error);
    } finally {
      if (change) {
        reads.changed(change, values, isInTransaction ? undefined : row);
        if (isInTransaction) changes.push({ change, values, row });
      } else if (/^(?:begin|start|commit|rollback)/.test(text)) {
        // Whoever read while it was not committed read what was before.
        // A commit that failed may have been made or not: what it would have left is not known.
        if (text === "commit")
          for (const one of changes) reads.changed(one.change, one.values, isDone ? one.row : undefined);
        changes = [];
        isInTransaction = /^(?:begin|start)/.test(text);
      }
    }
  }

  /** Others are rung for along with the change: whatever happens to this process then, they know of it, or it was not made. */
  async function tell(): Promise<void> {
    const notices = bell.noticesOf("changed", reads.rings(changes));
    if (notices.length > 0)
      await send(`select pg_notify('${CHANNEL}', notice) from unnest($1::text[]) as notice`, [notices]);
  }

  async function query<R>(text: string, given: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const values = given.some(hasZero) ? given.map(withoutZero) : given;
    const change = changeOf(text);
    const isTold = !isInTransaction && change && reads.rings([{ change, values }]).length > 0;
    if (!isTold) return run(text, values, change);
    await run("begin", []);
    try {
      const result = await run<R>(text, values, change);
      await run("commit", []);
      return result;
    } catch (error) {
      await run("rollback", []);
      throw error;
    }
  }

  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy || isLost),
  };
}

/** A sign that no text of the server's can hold, while whoever writes an id in an address, or a name, may put it there. */
const ZERO = "\0";

const hasZero = (value: unknown): boolean =>
  typeof value === "string" ? value.includes(ZERO) : Array.isArray(value) && value.some(hasZero);

/** A text with the sign for what cannot be read instead: nothing is found by it, and what is kept can be. */
function withoutZero(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(ZERO, "\ufffd");
  return Array.isArray(value) ? value.map(withoutZero) : value;
}

/** What went wrong with a statement: `storage_down` where that is the server's doing, else as it was. */
function asStorageError(error: unknown): unknown {
  return isAway(error) ? new DatabaseAway(error) : error;
}

/** What was asked of the database came to nothing because its server cannot be reached, or does not work now. */
export class DatabaseAway extends ReelayError {
  constructor(cause: unknown) {
    super("storage_down", { reason: "it cannot be reached" }, { cause });
  }
}

/** Whether a statement failed because the server cannot be reached, or does not work now: later it may. */
export function isAway(error: unknown): boolean {
  return isLostBy(error) || DOWN.test(codeOf(error));
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

const isLostBy = (error: unknown) =>
  error instanceof Error && codeOf(error) === "" && LOST.test(error.message);
