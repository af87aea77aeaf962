import { Client } from "pg";

/** What a database has done so far. */
export interface DatabaseWork {
  /** Transactions that were committed, those of single statements included. */
  readonly commits: number;
  /** Connections that were opened. */
  readonly sessions: number;
  /** Rows that were read because no index leads to those that were wanted. */
  readonly scanned: number;
  readonly statements: readonly StatementWork[];
}

/** What a kind of statement took. */
interface StatementWork {
  /** With its values left out. */
  readonly sql: string;
  readonly calls: number;
  /** To run them and to plan them, in milliseconds by the wall's clock, which also runs while they wait. */
  readonly ms: number;
}

/** Asks a database that counts its statements; itself it is counted, too. @param address of the database */
export async function databaseWork(address: string): Promise<DatabaseWork> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query("create extension if not exists pg_stat_statements");
    const { rows: statements } = await client.query<StatementWork>(`
      select min(query) as sql, sum(calls)::float8 as calls, sum(total_exec_time + total_plan_time) as ms
      from pg_stat_statements
      where toplevel and dbid = (select oid from pg_database where datname = current_database()) group by queryid`);
    const { rows } = await client.query<Omit<DatabaseWork, "statements">>(`
      select xact_commit::float8 as commits, sessions::float8 as sessions,
        (select sum(seq_tup_read)::float8 from pg_stat_user_tables) as scanned
      from pg_stat_database where datname = current_database()`);
    const [sums] = rows;
    if (!sums) throw new Error("The database told nothing of itself.");
    return { ...sums, statements };
  } finally {
    await client.end();
  }
}

/** What was done between two looks. */
export function workSince(before: DatabaseWork, after: DatabaseWork): DatabaseWork {
  const known = new Map(before.statements.map((one) => [one.sql, one]));
  return {
    commits: after.commits - before.commits,
    sessions: after.sessions - before.sessions,
    scanned: after.scanned - before.scanned,
    statements: after.statements.map(({ sql, calls, ms }) => {
      const was = known.get(sql);
      return { sql, calls: calls - (was?.calls ?? 0), ms: ms - (was?.ms ?? 0) };
    }),
  };
}

/** Kinds of statements, told by how they begin; the first that fits. */
const KINDS: readonly (readonly [kind: string, begin: RegExp])[] = [
  ["locks, and waiting for them", /^select pg_advisory/],
  ["bells", /^select pg_notify/],
  ["begin and end of transactions", /^(?:begin|start|commit|rollback)/],
  ["places in the windows of rates", /\brate_(?:slots|waits|blocks)\b/],
  ["jobs, read", /^select .*"?\bjobs\b/],
  ["jobs, written", /^(?:insert into|update|delete from) "jobs"/],
  ["entries of key-value stores", /"kv"/],
  ["events and webhooks", /\b(?:job_events|webhook_\w+)\b/],
  ["others", /./],
];

/** What statements of each kind took, the most first. */
export function byKind({
  statements,
}: DatabaseWork): readonly (Omit<StatementWork, "sql"> & { readonly kind: string })[] {
  const kindOf = ({ sql }: StatementWork) => {
    const text = sql.trim().replaceAll(/\s+/g, " ");
    return KINDS.find(([, begin]) => begin.test(text))?.[0] ?? "";
  };
  const sums = [...Map.groupBy(statements, kindOf)].map(([kind, own]) => ({
    kind,
    calls: own.reduce((sum, { calls }) => sum + calls, 0),
    ms: own.reduce((sum, { ms }) => sum + ms, 0),
  }));
  return sums.toSorted((a, b) => b.ms - a.ms);
}
