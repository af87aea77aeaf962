import { ConfigError } from "../../common/config-error.ts";
import { type Kysely, type RawBuilder, sql, SqliteAdapter } from "kysely";
import type { DatabaseSchema } from "./schema.ts";

/** A part of a statement. */
type Part = RawBuilder<unknown>;

/** The time by {@link Dialect.now}, within a statement. */
export const NOW: RawBuilder<number> = sql<number>`now_ms()`;

/** What SQLite and PostgreSQL each say in their own way; everything else that is asked of the database, both understand. */
export interface Dialect {
  /** Whether a transaction keeps all other writers out, from its first statement on. */
  readonly hasOneWriter: boolean;
  /** Whether it is files of ours: else a server decides what becomes of what was erased in its own. */
  readonly hasFiles: boolean;
  /**
   * Tells which server this is, as text; another one that takes its place says something else. Undefined where it is a file.
   */
  readonly server: Part | undefined;
  /** The time, in milliseconds since 1970: of several machines that share a database, its own. */
  readonly now: (db: Kysely<DatabaseSchema>) => Promise<number>;
  /** Values, and lists of them, in columns of text. */
  readonly json: {
    readonly value: (value: unknown) => Part;
    /** A list with one more value at its end. */
    readonly append: (list: Part, value: Part) => Part;
    readonly length: (list: Part) => Part;
    readonly last: (list: Part) => Part;
    /** A list without its first value. */
    readonly rest: (list: Part) => Part;
    /** The value of an object's field; null where it has none. */
    readonly field: (object: Part, name: string) => Part;
  };
}

const sqlite: Dialect = {
  hasOneWriter: true,
  hasFiles: true,
  server: undefined,
  now: async () => Date.now(),
  json: {
    value: (value) => sql`json(${JSON.stringify(value)})`,
    append: (list, value) => sql`json_insert(${list}, '$[#]', ${value})`,
    length: (list) => sql`json_array_length(${list})`,
    last: (list) => sql`${list} -> '$[#-1]'`,
    rest: (list) => sql`json_remove(${list}, '$[0]')`,
    field: (object, name) => sql`${object} -> ${sql.lit(name)}`,
  },
};

const postgres: Dialect = {
  hasOneWriter: false,
  hasFiles: false,
  // A standby that is made the primary begins a timeline of its own, as does whatever goes on from an archive.
  server: sql`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`,
  async now(db) {
    const { rows } = await sql<{ readonly now: number }>`select now_ms() as now`.execute(db);
    return rows[0]?.now ?? Number.NaN;
  },
  json: {
    value: (value) => sql`${JSON.stringify(value)}::jsonb`,
    append: (list, value) => sql`((${list})::jsonb || jsonb_build_array(${value}))::text`,
    length: (list) => sql`jsonb_array_length((${list})::jsonb)`,
    last: (list) => sql`((${list})::jsonb -> -1)`,
    rest: (list) => sql`((${list})::jsonb - 0)::text`,
    field: (object, name) => sql`((${object})::jsonb -> ${sql.lit(name)})`,
  },
};

/** That of a database, or of a transaction. */
export const dialectOf = (db: Kysely<DatabaseSchema>): Dialect =>
  db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgres;

/** A database that this version does not know: it would write what the other one cannot read. */
export const newerDatabase = (): ConfigError =>
  new ConfigError([
    {
      setting: "REELAY_STORE",
      found: "a database that a newer version of Reelay has used",
      wanted:
        "that version to be started again, or a backup from before the upgrade to be restored elsewhere",
    },
  ]);
