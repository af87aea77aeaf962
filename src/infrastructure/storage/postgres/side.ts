import type { Client } from "pg";
import type { MoveMark, StoredRow, Side, Table, StoredValue } from "../moving/side.ts";

/** How long others may take to let go of a table, in milliseconds. */
const LOCK_MS = 30_000;

/** The tables that are each database's own. */
const OWN = "('moved', 'migrated')";

/** What keeps everybody from writing to one that is not in charge. */
const SEAL = "sealed";

/** Which rows say that a database is in use, where not each does: a process that has left is no longer at work (`runners.ts`). */
const WHERE_USED: Readonly<Record<string, string>> = {
  kv: "namespace <> all ($1)",
  runners: "beat_at <> 0",
};

/** A PostgreSQL database between two moves. */
export class PostgresSide implements Side {
  readonly place: string;
  readonly #client: Client;

  /**
   * @param client connected, to a database of this version; gives whole numbers as numbers, and waits as long as it takes
   * @param place where that is, as it may be shown
   */
  constructor(client: Client, place: string) {
    this.#client = client;
    this.place = place;
  }

  async mark(): Promise<MoveMark | undefined> {
    const [mark] = await this.#all<MoveMark>("select state, move, place from moved");
    return mark;
  }

  /** Others may read meanwhile. */
  async begin(): Promise<void> {
    await this.#client.query("begin isolation level read committed");
    // By default a transaction that waits for its client is thrown out.
    await this.#client.query(
      `set local lock_timeout = ${LOCK_MS}; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0`,
    );
    await this.#client.query(`lock table ${(await this.#tables()).join(", ")} in exclusive mode`);
  }

  async commit(): Promise<void> {
    await this.#client.query("commit");
  }

  /** What the largest files of the database take on its server's disk, in bytes. */
  async bytes(): Promise<number> {
    const [size] = await this.#all<{ bytes: number }>("select pg_database_size(current_database()) as bytes");
    return size?.bytes ?? 0;
  }

  /**
   * Whether nothing is kept here that anybody would miss, and nobody is at work on it.
   * @param own namespaces of what an installation has of its own before it keeps anything
   */
  async isEmpty(own: readonly string[]): Promise<boolean> {
    for (const table of await this.#tables()) {
      const among = WHERE_USED[table] ?? "true";
      const found = await this.#all(
        `select 1 from ${table} where ${among} limit 1`,
        table === "kv" ? [own] : [],
      );
      if (found.length > 0) return false;
    }
    return true;
  }

  /** Empties every table; within a transaction. */
  async clear(): Promise<void> {
    await this.#client.query(`truncate ${(await this.#tables()).join(", ")}`);
    await this.#unseal();
  }

  async count({ name }: Table): Promise<number> {
    const [counted] = await this.#all<{ count: number }>(`select count(*) as count from "${name}"`);
    return counted?.count ?? 0;
  }

  page(
    { name, columns, key }: Table,
    after: StoredRow | undefined,
    size: number,
  ): Promise<readonly StoredRow[]> {
    const order = quoted(key);
    const from = after ? `where (${order}) > (${key.map((_, nth) => `$${nth + 2}`).join(", ")})` : "";
    return this.#all<StoredRow>(
      `select ${quoted(columns)} from "${name}" ${from} order by ${order} limit $1`,
      [size, ...(after ? key.map((column) => after[column] ?? null) : [])],
    );
  }

  async insert({ name, columns }: Table, rows: readonly StoredRow[]): Promise<void> {
    const list = quoted(columns);
    await this.#client.query(
      `insert into "${name}" (${list}) overriding system value
         select ${list} from json_populate_recordset(null::"${name}", $1::json)`,
      [JSON.stringify(rows)],
    );
  }

  async lastNumber({ name, counter }: Table): Promise<number> {
    const [last] = await this.#all<{ number: number }>(
      `select case when is_called then last_value else 0 end as number from ${await this.#sequence(name, counter)}`,
    );
    return last?.number ?? 0;
  }

  async setLastNumber({ name, counter }: Table, number: number): Promise<void> {
    // One that never gave a number begins with 1.
    await this.#client.query("select setval($1, greatest($2::bigint, 1), $2::bigint > 0)", [
      await this.#sequence(name, counter),
      number,
    ]);
  }

  async setMark({ state, move, place }: MoveMark): Promise<void> {
    await this.#unseal();
    if (state !== "here") {
      // 57P: whoever it is told to takes it for a server that cannot be written to.
      await this.#client.query(`
        create or replace function refuse_moved() returns trigger language plpgsql as $$ begin
          raise exception 'it was moved' using errcode = '57P99';
        end $$`);
      for (const table of await this.#tables())
        await this.#client.query(
          `create trigger ${SEAL} before insert or update or delete on ${table}
             for each statement execute function refuse_moved()`,
        );
    }
    await this.#client.query(
      `insert into moved (id, state, move, place, at) values (1, $1, $2, $3, now_ms())
         on conflict (id) do update set state = $1, move = $2, place = $3, at = now_ms()`,
      [state, move, place],
    );
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #unseal(): Promise<void> {
    const sealed = await this.#all<{ table: string }>(
      "select tgrelid::regclass::text as table from pg_trigger where tgname = $1",
      [SEAL],
    );
    for (const { table } of sealed) await this.#client.query(`drop trigger ${SEAL} on ${table}`);
  }

  /** Those whose rows are moved, quoted where they need it. */
  async #tables(): Promise<readonly string[]> {
    const named = await this.#all<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
         where schemaname = current_schema() and tablename not in ${OWN} order by tablename`,
    );
    return named.map(({ name }) => name);
  }

  async #sequence(table: string, column = ""): Promise<string> {
    const [found] = await this.#all<{ name: string }>("select pg_get_serial_sequence($1, $2) as name", [
      `"${table}"`,
      column,
    ]);
    return found?.name ?? "";
  }

  async #all<R extends object>(
    text: string,
    values: readonly (StoredValue | readonly string[])[] = [],
  ): Promise<readonly R[]> {
    const { rows } = await this.#client.query<R>(text, [...values]);
    return rows;
  }
}

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(", ");
