import type { Pool, PoolClient } from "pg";

/** The oldest version that keeps what is relied on, as servers number themselves. */
const OLDEST = 150_000;

/** Turns of which the median is told. */
const TURNS = 5;

/** What is known of a server before anything is kept there. */
export interface ServerFacts {
  /** As it names itself: `15.4`. */
  readonly version: string;
  /** As it numbers itself: `150004`. */
  readonly number: number;
  /** When a commit is confirmed. */
  readonly commit: string;
  /** What a statement sees that begins no transaction. */
  readonly isolation: string;
  /** Whether what was confirmed survives a power cut. */
  readonly flushes: boolean;
  /** Whether it looks by itself how large its tables are, by which it decides how to read them, and frees what was erased. */
  readonly vacuums: boolean;
  /** Whether it only repeats what another one does. */
  readonly isStandby: boolean;
  readonly encoding: string;
  /** Whether something before it lends its sessions to whoever has something to say: what belongs to a session is then everybody's. */
  readonly sharesSessions: boolean;
  /** Standbys that have all that was confirmed, and such as may lack its end. */
  readonly standbys: { readonly exact: number; readonly late: number };
  /** One statement, there and back, in milliseconds. */
  readonly latencyMs: number;
  /** By how much its clock is ahead of this machine's, in milliseconds: exact up to half the latency. */
  readonly aheadMs: number;
}

/** Asks a server what it is like. @throws Error where it cannot be reached */
export async function examineServer(pool: Pool): Promise<ServerFacts> {
  const { rows } = await pool.query<
    Omit<ServerFacts, "sharesSessions" | "standbys" | "latencyMs" | "aheadMs"> & Standbys
  >(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      (select reset_val from pg_settings where name = 'synchronous_commit') as commit, current_setting('fsync') = 'on' as flushes,
      current_setting('autovacuum') = 'on' as vacuums,
      (select reset_val from pg_settings where name = 'default_transaction_isolation') as isolation,
      pg_is_in_recovery() as "isStandby", current_setting('server_encoding') as encoding,
      (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) as exact,
      (select count(*) from pg_stat_replication where sync_state in ('async', 'potential')) as late`);
  const [facts] = rows;
  if (!facts) throw new Error("it said nothing of itself");
  const { exact, late, ...rest } = facts;
  const sharesSessions = await sharesSessionsOf(pool);
  return { ...rest, sharesSessions, standbys: { exact, late }, ...(await clockOf(pool)) };
}

interface Standbys {
  readonly exact: number;
  readonly late: number;
}

/** Whether two connections that are there at once speak to one process of the server, one after the other. */
async function sharesSessionsOf(pool: Pool): Promise<boolean> {
  const one = await pool.connect();
  try {
    // Where the server has no second one to give, nothing is shared, or it is not to be seen.
    const other = await pool.connect().catch(() => undefined);
    if (!other) return false;
    try {
      return (await processOf(one)) === (await processOf(other));
    } finally {
      // Of those that are kept one more could have broken without a word.
      other.release(true);
    }
  } finally {
    one.release();
  }
}

async function processOf(connection: PoolClient): Promise<number | undefined> {
  const { rows } = await connection.query<{ readonly pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

/** The turn that took the least says the most of the clock. */
async function clockOf(pool: Pool): Promise<Pick<ServerFacts, "latencyMs" | "aheadMs">> {
  const turns: { readonly took: number; readonly ahead: number }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [began, before] = [performance.now(), Date.now()];
    const { rows } = await pool.query<{ readonly now: number }>(
      "select extract(epoch from clock_timestamp()) * 1000 as now",
    );
    const took = performance.now() - began;
    turns.push({ took, ahead: (rows[0]?.now ?? Number.NaN) - before - took / 2 });
  }
  const sorted = turns.toSorted((a, b) => a.took - b.took);
  const [fastest, median] = [sorted[0], sorted[Math.floor(TURNS / 2)]];
  return { latencyMs: median?.took ?? Number.NaN, aheadMs: fastest?.ahead ?? Number.NaN };
}

/** Why nothing may be kept on a server: what was found and what is wanted; undefined where it will do. */
export function unfit(server: ServerFacts): { readonly found: string; readonly wanted: string } | undefined {
  if (server.number < OLDEST)
    return { found: `PostgreSQL ${server.version}`, wanted: "PostgreSQL 15 or newer" };
  if (server.isStandby)
    return { found: "a standby, which takes no writes", wanted: "the address of its primary" };
  if (server.commit === "off")
    return {
      found: "a database that forgets in a crash what it has confirmed (synchronous_commit is off)",
      wanted: "synchronous_commit = on, for this database or this user at least",
    };
  if (server.isolation !== "read committed")
    return {
      found: `a database where whoever writes what another one is writing fails instead of waiting (default_transaction_isolation is ${server.isolation})`,
      wanted: "default_transaction_isolation = 'read committed', for this database or this user at least",
    };
  if (server.sharesSessions)
    return {
      found: "a pooler that shares the server's sessions between its clients",
      wanted: "one that gives each connection a session of its own (PgBouncer: pool_mode = session), or none",
    };
  if (server.encoding !== "UTF8")
    return { found: `a database in ${server.encoding}`, wanted: "one made with `encoding 'UTF8'`" };
  return undefined;
}
