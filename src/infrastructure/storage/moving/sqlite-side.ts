import { DatabaseSync, type StatementSync } from "node:sqlite";
import { MOVED } from "../stored-file.ts";
import type { MoveMark, StoredRow, Side, Table, StoredValue } from "./side.ts";

/** How long a writer may take to let go, in milliseconds. */
const LOCK_MS = 10_000;

/** How long whoever only looks at something may take, in milliseconds. */
const GLANCE_MS = 1_000;

/** The table that says who is in charge, which is each database's own. */
const MARKS = "moved";

/** What keeps everybody from writing to one that is not in charge; the name of each is its table's, too. */
const SEAL = "sealed_";

/** A SQLite file between two moves. */
export class SqliteSide implements Side {
  readonly place: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @param path of a database of this version, that nobody else in this process has open: closing it ends their locks */
  constructor(path: string) {
    this.place = `sqlite:${path}`;
    this.#db = new DatabaseSync(path, { timeout: LOCK_MS });
    this.#db.exec("pragma synchronous = full");
  }

  /** Every table whose rows are moved. */
  tables(): readonly Table[] {
    return this.#names().map((name) => {
      const columns = this.#all("select name, pk from pragma_table_info(?)", [name]);
      const key = columns
        .filter(({ pk }) => Number(pk) > 0)
        .toSorted((a, b) => Number(a["pk"]) - Number(b["pk"]));
      const named = columns.map((column) => String(column["name"]));
      // SQLite's own, which PostgreSQL has as a column.
      if (key.length === 0) return { name, columns: ["rowid", ...named], key: ["rowid"], counter: "rowid" };
      const [first] = key.map((column) => String(column["name"]));
      return {
        name,
        columns: named,
        key: key.map((column) => String(column["name"])),
        counter: this.#counts(name) ? first : undefined,
      };
    });
  }

  async mark(): Promise<MoveMark | undefined> {
    // An older version has no such table.
    if (this.#all("select 1 from sqlite_master where name = ?", [MARKS]).length === 0) return undefined;
    return this.#all(`select state, move, place from ${MARKS}`)[0] as MoveMark | undefined;
  }

  async begin(): Promise<void> {
    this.#db.exec("begin immediate");
  }

  async commit(): Promise<void> {
    this.#db.exec("commit");
  }

  async count({ name }: Table): Promise<number> {
    return Number(this.#all(`select count(*) as count from "${name}"`)[0]?.["count"]);
  }

  async page(
    { name, columns, key }: Table,
    after: StoredRow | undefined,
    size: number,
  ): Promise<readonly StoredRow[]> {
    const [order, marks] = [quoted(key), key.map(() => "?").join(", ")];
    const from = after ? `where (${order}) > (${marks})` : "";
    return this.#all(`select ${quoted(columns)} from "${name}" ${from} order by ${order} limit ?`, [
      ...(after ? key.map((column) => after[column] ?? null) : []),
      size,
    ]);
  }

  async insert({ name, columns }: Table, rows: readonly StoredRow[]): Promise<void> {
    const marks = columns.map(() => "?").join(", ");
    const insert = this.#prepared(`insert into "${name}" (${quoted(columns)}) values (${marks})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  }

  async lastNumber({ name, counter }: Table): Promise<number> {
    const last =
      counter === "rowid"
        ? this.#all(`select max(rowid) as number from "${name}"`)
        : this.#all("select seq as number from sqlite_sequence where name = ?", [name]);
    return Number(last[0]?.["number"] ?? 0);
  }

  async setLastNumber({ name, counter }: Table, number: number): Promise<void> {
    // It counts on from its last row.
    if (counter === "rowid") return;
    this.#prepared("delete from sqlite_sequence where name = ?").run(name);
    this.#prepared("insert into sqlite_sequence (name, seq) values (?, ?)").run(name, number);
  }

  async setMark({ state, move, place }: MoveMark): Promise<void> {
    for (const { name } of this.#all(
      "select name from sqlite_master where type = 'trigger' and name like ?",
      [`${SEAL}%`],
    ))
      this.#db.exec(`drop trigger "${String(name)}"`);
    if (state !== "here")
      for (const name of this.#names())
        for (const change of ["insert", "update", "delete"])
          this.#db.exec(
            `create trigger "${SEAL}${change}_${name}" before ${change} on "${name}" begin select raise(abort, '${MOVED}'); end`,
          );
    this.#prepared(`replace into ${MARKS} (id, state, move, place, at) values (1, ?, ?, ?, ?)`).run(
      state,
      move,
      place,
      Date.now(),
    );
  }

  /** Whether all of it is in its one file from now on: not where somebody else has it open. */
  settle(): boolean {
    this.#db.exec(`pragma busy_timeout = ${GLANCE_MS}`);
    const [done] = this.#all("pragma wal_checkpoint(truncate)");
    return done?.["busy"] === 0;
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  #names(): readonly string[] {
    return this.#all(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> ? order by name",
      [MARKS],
    ).map(({ name }) => String(name));
  }

  #counts(table: string): boolean {
    const [made] = this.#all("select sql from sqlite_master where name = ?", [table]);
    return /\bautoincrement\b/i.test(String(made?.["sql"]));
  }

  #all(text: string, values: readonly StoredValue[] = []): readonly StoredRow[] {
    return this.#prepared(text).all(...values) as StoredRow[];
  }

  #prepared(text: string): StatementSync {
    const known = this.#statements.get(text) ?? this.#db.prepare(text);
    this.#statements.set(text, known);
    return known;
  }
}

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(", ");
