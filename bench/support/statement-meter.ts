import { type FileHandle, open } from "node:fs/promises";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { commitOf, FLUSH } from "./commits.ts";

const WRITES = /^\s*(insert|replace|update|delete)\b(?: into| from)?\s+"?(\w+)/i;

/** How often each statement was run, by its text, and each transaction by what it wrote. */
export type StatementCounts = readonly (readonly [sql: string, count: number])[];

const counts = new Map<string, number>();
const prepare: (this: DatabaseSync, sql: string) => StatementSync = Reflect.get(
  DatabaseSync.prototype,
  "prepare",
);

const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

/** What open transactions have written so far. */
const written = new WeakMap<DatabaseSync, string[]>();

DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  const [, verb, table] = WRITES.exec(sql) ?? [];
  const note = (values: readonly unknown[]) => {
    count(sql);
    if (sql.startsWith("begin")) written.set(this, []);
    if (sql === "commit") count(commitOf(written.get(this) ?? []));
    if (verb === undefined) return;
    // Of a key-value store's entries it says whose they are.
    const write = `${verb} ${table}${table === "kv" ? ` (${String(values[0])})` : ""}`;
    if (this.isTransaction) written.get(this)?.push(write);
    else count(commitOf([write]));
  };
  return new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "all" && name !== "get" && name !== "run") return value.bind(target);
      return (...values: unknown[]): unknown => {
        note(values);
        return Reflect.apply(value, target, values);
      };
    },
  });
};

// Of the files that a process has open, it is the log alone whose data is flushed so.
const some = await open(process.execPath);
const handles = Object.getPrototypeOf(some) as FileHandle;
await some.close();
const datasync: (this: FileHandle) => Promise<void> = Reflect.get(handles, "datasync");
handles.datasync = function () {
  count(FLUSH);
  return datasync.call(this);
};

/** What was counted so far. */
export const counted = (): StatementCounts => [...counts];

process.on("message", (message) => {
  if (message === "statements") process.send?.(counted());
});
