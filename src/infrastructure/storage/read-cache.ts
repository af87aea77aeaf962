import type { Bell } from "../../common/bell.ts";

/** How long another process's change may stay unseen, in milliseconds: asking costs as much as a small query. */
const UNSEEN_MS = 20;

/** The same of what hardly changes, where other processes tell of it along with the change: no more than a precaution. */
const UNTOLD_MS = 60_000;

/** What is told of a table at once; of more than that, all of it. */
const MOST_TOLD = 1_000;

/** What hardly changes and is asked for at every step: tables, */
const TOLD_TABLES: ReadonlySet<string> = new Set([
  "known_keys",
  "operators",
  "reported",
  "webhook_endpoints",
]);
/** and namespaces of entries. */
const TOLD_ENTRIES: ReadonlySet<string> = new Set([
  "blocks",
  "groups",
  "keys",
  "partner-links",
  "partners",
  "people",
]);

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
 * and not in another process, whose commits SQLite counts (`pragma data_version`) and PostgreSQL tells of where they ring for them.
 */
export class ReadCache {
  readonly #version: () => unknown;
  readonly #bell: Bell;
  readonly #tables = new Map<string, TableReads>();
  #versionSeen: unknown;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #changesSeen = 0;
  #isTold = false;

  /**
   * @param version of the file: another one after every commit of another connection
   * @param bell rings for what changes in other processes
   */
  constructor(version: () => unknown, bell: Bell) {
    this.#version = version;
    this.#bell = bell;
  }

  /** Hears from now on what others ring for; returns the way to stop that. */
  hear(): () => void {
    const deaf = this.#bell.on("changed", (rung) => this.#heard(rung));
    this.#isTold = true;
    return () => {
      this.#isTold = false;
      deaf();
    };
  }

  /** Another number than before wherever a table may have changed since. */
  revision(table: string): number {
    const reads = this.#of(table);
    if (!this.#stands(reads, TOLD_TABLES.has(table))) {
      reads.version = this.#look();
      reads.at = performance.now();
      reads.revision += 1;
    }
    return reads.revision;
  }

  /**
   * The answer to a question about one key of a table. It is kept in mind while it is still being read: many ask at once.
   * @param read asks the database; outside of transactions, which see what others do not
   */
  async get<T>(table: string, key: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#of(table);
    const known = reads.answers.get(key);
    if (known && this.#stands(known, isTold(table, key))) return known.answer as T | Promise<T>;
    const version = this.#look();
    const at = performance.now();
    const answer = read();
    const asked: Answer = { answer, version, at };
    keep(reads.answers, key, asked);
    try {
      return await answer;
    } catch (error) {
      if (reads.answers.get(key) === asked) reads.answers.delete(key);
      throw error;
    }
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
    this.#forget(table, keys);
    if (!answers || row === undefined || keys === "all" || keys[0] === undefined) return;
    // Not looked at now: a change of another process since would be taken for older than this.
    keep(this.#of(table).answers, keys[0], {
      answer: row,
      version: this.#versionSeen,
      at: performance.now(),
    });
  }

  /** What others are to be rung for where statements are committed that change this. */
  rings(changes: readonly { readonly change: Change; readonly values: readonly unknown[] }[]): string[] {
    const told = new Map<string, Set<string>>();
    for (const { change, values } of changes) {
      const { table } = change;
      if (table !== "kv" && !TOLD_TABLES.has(table)) continue;
      const keys = change.forgets(values);
      for (const key of keys === "all" ? [ALL] : keys) {
        if (key !== ALL && !isTold(table, key)) continue;
        const ofTable = told.get(table) ?? new Set();
        told.set(table, ofTable.size < MOST_TOLD ? ofTable.add(key) : new Set([ALL]));
      }
    }
    return [...told].flatMap(([table, keys]) => [...keys].map((key) => JSON.stringify([table, key])));
  }

  /** Whether something may be taken for what it was when it was read. */
  #stands({ version, at }: Pick<Answer, "version" | "at">, told: boolean): boolean {
    if (told && this.#isTold && this.#bell.hears && performance.now() - at < UNTOLD_MS) return true;
    return version === this.#look();
  }

  #heard(rung: string | undefined): void {
    if (rung === undefined) {
      for (const table of this.#tables.keys()) this.#forget(table, "all");
      return;
    }
    const [table = "", key = ""] = JSON.parse(rung) as string[];
    this.#forget(table, key === ALL ? "all" : [key]);
  }

  #forget(table: string, keys: readonly string[] | "all"): void {
    const reads = this.#of(table);
    reads.revision += 1;
    if (keys === "all") return reads.answers.clear();
    for (const key of keys) reads.answers.delete(key);
  }

  /** The version of the file, as of {@link UNSEEN_MS} ago. */
  #look(): unknown {
    const now = performance.now();
    if (changesHere === this.#changesSeen && now - this.#lookedAt < UNSEEN_MS) return this.#versionSeen;
    this.#changesSeen = changesHere;
    this.#lookedAt = now;
    this.#versionSeen = this.#version();
    return this.#versionSeen;
  }

  #of(table: string): TableReads {
    const reads = this.#tables.get(table) ?? {
      revision: 0,
      version: undefined,
      at: Number.NEGATIVE_INFINITY,
      answers: new Map(),
    };
    this.#tables.set(table, reads);
    return reads;
  }
}

/** What was read, and when. */
interface Answer {
  /** A promise of it where this process asked the database for it. */
  readonly answer: unknown;
  /** Of the file, before it was read. */
  readonly version: unknown;
  /** By the clock of this process, which nobody sets. */
  readonly at: number;
}

/** What was read of a table, by key. */
interface TableReads {
  revision: number;
  version: unknown;
  at: number;
  readonly answers: Map<string, Answer>;
}

/** In place of a key: all of a table. */
const ALL = "";

const isTold = (table: string, key: string) =>
  table === "kv" ? TOLD_ENTRIES.has(key.slice(0, key.indexOf("\0"))) : TOLD_TABLES.has(table);

function keep(answers: Map<string, Answer>, key: string, answer: Answer): void {
  answers.set(key, answer);
  if (answers.size <= KEPT) return;
  // Not for nothing: a map is slow to find its first key where many were deleted before it.
  const [oldest] = answers.keys();
  if (oldest !== undefined) answers.delete(oldest);
}

/** The key of one entry in the table of the key-value stores. */
export const kvKey = (namespace: string, key: string) => `${namespace}\0${key}`;

/** What a statement changes; undefined where that is nothing. */
export function changeOf(statement: string): Change | undefined {
  const table = /^\s*(?:insert|replace|update|delete)(?: into| from)?\s+"?(\w+)"?/i.exec(statement)?.[1];
  if (table === undefined) return undefined;
  // PostgreSQL's are numbered in the order in which they stand.
  const sql = statement.replaceAll(/\$\d+/g, "?");
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
  'insert into "kv" ("namespace", "key", "value", "expires_at") select ?, ?, ?, ? from ',
  'delete from "kv" where "namespace" = ? and "key" = ?',
];
