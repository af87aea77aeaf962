/** How long another process's change may stay unseen, in milliseconds: asking costs as much as a small query. */
const UNSEEN_MS = 20;

/** The most answers that are kept of a table; the oldest go. */
const KEPT = 5_000;

/** What is changed by a statement. */
export interface Change {
  readonly table: string;
  /** The keys whose answers it ends, by the values that it is run with. */
  readonly forgets: (values: readonly unknown[]) => readonly string[] | "all";
  /** Whether what it returns is the answer about its key. */
  readonly answers: boolean;
}

/** Changes that this process made over all its connections: another one's are seen at once. */
let changesHere = 0;

/**
 * Answers of queries about what hardly changes, for as long as nothing changed it: not here, where every statement is looked at,
 * and not in another process, whose commits SQLite counts (`pragma data_version`).
 */
export class ReadCache {
  readonly #version: () => unknown;
  readonly #tables = new Map<string, TableReads>();
  #versionSeen: unknown;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #changesSeen = 0;

  /** @param version of the file: another one after every commit of another connection */
  constructor(version: () => unknown) {
    this.#version = version;
  }

  /** Another number than before wherever a table may have changed since. */
  revision(table: string): number {
    this.#look();
    return this.#of(table).revision;
  }

  /**
   * The answer to a question about one key of a table.
   * @param read asks the database; outside of transactions, which see what others do not
   */
  async get<T>(table: string, key: string, read: () => Promise<T>): Promise<T> {
    const before = this.revision(table);
    const reads = this.#of(table);
    if (reads.answers.has(key)) return reads.answers.get(key) as T;
    const answer = await read();
    if (reads.revision === before) keep(reads.answers, key, answer);
    return answer;
  }

  /**
   * Forgets what a statement of this process changes; to be called when it was run.
   * @param row what it returned, where that is committed
   */
  changed({ table, forgets, answers }: Change, values: readonly unknown[], row?: unknown): void {
    if (this.#changesSeen === changesHere) this.#changesSeen += 1;
    changesHere += 1;
    const keys = forgets(values);
    if (keys.length === 0) return;
    const reads = this.#of(table);
    reads.revision += 1;
    if (keys === "all") return reads.answers.clear();
    for (const key of keys) reads.answers.delete(key);
    if (answers && row !== undefined && keys[0] !== undefined) keep(reads.answers, keys[0], row);
  }

  #look(): void {
    const now = performance.now();
    if (changesHere === this.#changesSeen && now - this.#lookedAt < UNSEEN_MS) return;
    this.#changesSeen = changesHere;
    this.#lookedAt = now;
    const version = this.#version();
    if (version === this.#versionSeen) return;
    this.#versionSeen = version;
    for (const reads of this.#tables.values()) {
      reads.revision += 1;
      reads.answers.clear();
    }
  }

  #of(table: string): TableReads {
    const reads = this.#tables.get(table) ?? { revision: 0, answers: new Map() };
    this.#tables.set(table, reads);
    return reads;
  }
}

/** What was read of a table, by key. */
interface TableReads {
  revision: number;
  readonly answers: Map<string, unknown>;
}

function keep(answers: Map<string, unknown>, key: string, answer: unknown): void {
  answers.set(key, answer);
  if (answers.size <= KEPT) return;
  // Not for nothing: a map is slow to find its first key where many were deleted before it.
  const [oldest] = answers.keys();
  if (oldest !== undefined) answers.delete(oldest);
}

/** The key of one entry in the table of the key-value stores. */
export const kvKey = (namespace: string, key: string) => `${namespace}\0${key}`;

/** What a statement changes; undefined where that is nothing. */
export function changeOf(sql: string): Change | undefined {
  const table = /^\s*(?:insert|replace|update|delete)(?: into| from)?\s+"?(\w+)"?/i.exec(sql)?.[1];
  if (table === undefined) return undefined;
  return { table, forgets: forgetsOf(table, sql), answers: ROW_BY_ID.test(sql) };
}

function forgetsOf(table: string, sql: string): Change["forgets"] {
  if (sql.startsWith(PURGE)) return () => [];
  if (ENTRY.some((begin) => sql.startsWith(begin)))
    return ([namespace, key]) => [kvKey(String(namespace), String(key))];
  if (!BY_ID.has(table)) return () => "all";
  if (sql.startsWith(`insert into "${table}" ("id", `)) return ([id]) => [String(id)];
  const [, before, ids] = /^(.*?) where "id" (?:in )?(?:= )?\(?((?:\?(?:, )?)+)/.exec(sql) ?? [];
  if (before === undefined || ids === undefined) return () => "all";
  const [first, count] = [marks(before), marks(ids)];
  return (values) => values.slice(first, first + count).map(String);
}

const marks = (sql: string) => sql.split("?").length - 1;

/** Tables whose rows are kept in mind by their id. */
const BY_ID: ReadonlySet<string> = new Set(["jobs"]);

/** A change of one row of these that returns it. */
const ROW_BY_ID = /^(?:insert into "jobs" \("id", |update "jobs" .* where "id" = \? ).*returning \*$/;

/** How entries are erased that are read no more. */
const PURGE = 'delete from "kv" where "expires_at" <= ?';

/** How changes of one entry of a key-value store begin. */
const ENTRY = [
  'insert into "kv" ("namespace", "key", "value", "expires_at") values (?, ?, ?, ?) on conflict',
  'delete from "kv" where "namespace" = ? and "key" = ?',
];
