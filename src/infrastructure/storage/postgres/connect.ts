import type * as Driver from "pg";
import { ConfigError } from "../../../common/config-error.ts";
import { APART_MS, instant, keepTo } from "../../../common/time.ts";
import { scrub } from "../../telemetry/scrub.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./database.ts";
import { examineServer, type ServerFacts, unfit } from "./server.ts";
import { PostgresSide } from "./side.ts";

/**
 * Connections of one process: others wait for one. Each has plans and caches of its own on the server: with ten, a job took a sixth more of its
 * processor and no more were done (`npm run bench -- throughput`).
 */
const CONNECTIONS = 5;

/** How long one is kept that nobody needs, in milliseconds: what the server has learned of statements goes with it. */
const UNUSED_MS = 60_000;

/** How long may be waited, in milliseconds, before the server is taken to be gone. */
const PATIENCE_MS = {
  /** For a connection, or for one of those that there are. */
  connection: 10_000,
  /** For the answer to a statement, with whatever it waits for itself. */
  answer: 30_000,
  /** By the server, within a transaction: of a process that stands still the others need what it has locked. */
  transaction: 4_000,
  /** For the answer of a line on which nothing but rings comes. */
  line: 2_000,
  /** Before a silent connection is tried out. */
  silence: 10_000,
} as const;

/**
 * Opens the PostgreSQL database at an address, which may hold a password: that is said to nobody.
 * @throws ConfigError where it cannot be reached, is none that keeps promises, or its driver is not installed; Error where it comes
 * from a newer Reelay
 */
export async function connectPostgres(url: string): Promise<Database> {
  const { pool, connect } = await connectionsTo(url);
  try {
    const facts = await factsOf(pool, url);
    const wrong = unfit(facts);
    if (wrong) throw new ConfigError([{ setting: SETTING, ...wrong }]);
    const at = instant();
    if (Math.abs(facts.aheadMs) > APART_MS) keepTo(at.wall + facts.aheadMs, at);
    return await openPostgres(pool, connect);
  } catch (error) {
    await pool.end();
    throw asForbidden(error, url);
  }
}

/** What a server says to somebody who may not make tables (SQLSTATE): from version 15 on, to all but a database's owner. */
const FORBIDDEN = "42501";

/** What can be done where somebody is let in and may make no tables; else the error as it was. */
function asForbidden(error: unknown, url: string): unknown {
  if (!(error instanceof Error && "code" in error && error.code === FORBIDDEN)) return error;
  const { username, pathname } = new URL(url);
  const found = `${withoutPassword(url)}, where nothing may be made or changed (${scrub.text(error.message)})`;
  const user = username === "" ? "USER" : decodeURIComponent(username);
  const wanted = `a user who may, as by ALTER DATABASE ${decodeURIComponent(pathname.slice(1))} OWNER TO ${user}`;
  return new ConfigError([{ setting: SETTING, found, wanted }], { cause: error });
}

/**
 * Opens the database at an address to move everything from there, or to it.
 * @throws as {@link connectPostgres}
 */
export async function openPostgresSide(url: string): Promise<PostgresSide> {
  // Its tables are made where they are missing.
  await (await connectPostgres(url)).close();
  const { Client } = await driver();
  const client = new Client(await optionsFor(url));
  // What is asked of it next fails.
  client.on("error", unheard);
  await client.connect();
  return new PostgresSide(client, withoutPassword(url));
}

/** What is known of the server at an address. @throws ConfigError as {@link connectPostgres} */
export async function examinePostgres(url: string): Promise<ServerFacts> {
  const { pool } = await connectionsTo(url);
  try {
    return await factsOf(pool, url);
  } finally {
    await pool.end();
  }
}

const SETTING = "REELAY_STORE";

/**
 * Has a session give up a transaction that stands still, confirm nothing that a crash could take back, see in each statement what was
 * committed before it (a slot is taken by a function that waits for a lock first), plan a statement that has a name once and not for its
 * first values alone, and look for rows by an index wherever there is one: it may be planned while its tables are so small that reading
 * all of them seems the shortest way, and run like that when they are large. Before version 18 that makes what has to be read as a whole
 * seem so dear that it would be compiled each time. None of it comes with the beginning of a connection: PgBouncer lets in nobody who
 * brings settings along.
 */
const AS_NEEDED = `
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'
  union all select set_config('idle_in_transaction_session_timeout', '${PATIENCE_MS.transaction}', false)
  union all select set_config('default_transaction_isolation', 'read committed', false)
  union all select set_config('plan_cache_mode', 'force_generic_plan', false)
  union all select set_config('enable_seqscan', 'off', false) union all select set_config('jit', 'off', false)`;

async function factsOf(pool: Driver.Pool, url: string): Promise<ServerFacts> {
  try {
    return await examineServer(pool);
  } catch (error) {
    const reason = error instanceof Error ? scrub.text(reasonOf(error)) : "unknown";
    const found = `${withoutPassword(url)}, where no statement can be run (${reason})`;
    throw new ConfigError([{ setting: SETTING, found, wanted: wantedFor(error) }], { cause: error });
  }
}

const LET_IN = "a user and password that this server lets in";

/** What is wanted where a server answers and refuses, by what it says (SQLSTATE). */
const WANTED: ReadonlyMap<string, string> = new Map([
  ["28P01", LET_IN],
  ["28000", LET_IN],
  ["3D000", "a database that is there: make an empty one of that name, or name another"],
  ["53300", "a server that has connections left"],
]);

/** What the driver says itself where the server asks for a password and there is none. */
const NO_PASSWORD = /password must be a (?:non-empty )?string/;

function wantedFor(error: unknown): string {
  if (!(error instanceof Error)) return ANSWERS;
  if (NO_PASSWORD.test(error.message)) return LET_IN;
  return ("code" in error && WANTED.get(String(error.code))) || ANSWERS;
}

const ANSWERS = "a PostgreSQL server that answers";

/** An address that nobody answers at has several errors, one for each way to it, and no words of its own. */
function reasonOf(error: Error): string {
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/** An address as it may be shown. */
export function withoutPassword(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username && `${username}@`}${host}${pathname}`;
}

/** Connections that are shared, and what makes one for somebody alone. */
interface Connections {
  readonly pool: Driver.Pool;
  readonly connect: () => Driver.Client;
}

async function optionsFor(url: string) {
  const { types } = await driver();
  const { password, searchParams } = new URL(url);
  for (const secret of [decodeURIComponent(password), searchParams.get("password")])
    if (secret) scrub.register(secret);
  /** Types whose values come as text, because they may be larger than a number; ours are not. */
  const numbers: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);
  return {
    connectionString: url,
    application_name: "reelay",
    connectionTimeoutMillis: PATIENCE_MS.connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: PATIENCE_MS.silence,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        numbers.has(type) ? Number : types.getTypeParser(type, format),
    },
  };
}

/** @throws ConfigError where the driver is not installed */
async function connectionsTo(url: string): Promise<Connections> {
  const { Client, Pool } = await driver();
  const options = await optionsFor(url);
  const pool = new Pool({
    ...options,
    max: CONNECTIONS,
    idleTimeoutMillis: UNUSED_MS,
    query_timeout: PATIENCE_MS.answer,
    // It was looked at when this process began, and may have been changed since.
    verify: (client, done) => client.query(AS_NEEDED, [], done),
  });
  pool.on("error", unheard);
  pool.on("connect", (client) => void client.on("error", unheard));
  return { pool, connect: () => new Client({ ...options, query_timeout: PATIENCE_MS.line }) };
}

/** Whoever uses a connection that has ended is told so by its next statement. */
function unheard(): void {}

/** Loaded where it is used alone. */
async function driver(): Promise<typeof Driver> {
  try {
    return await import("pg");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new ConfigError([
        {
          setting: SETTING,
          found: "a PostgreSQL address, but not its driver",
          wanted: "the driver beside Reelay (npm install pg@8), or sqlite:PATH",
        },
      ]);
    throw error;
  }
}
