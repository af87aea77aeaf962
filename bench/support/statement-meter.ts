import { DatabaseSync, type StatementSync } from "node:sqlite";
import { BY_ITSELF } from "./by-itself.ts";

const WRITES = /^\s*(?:insert|replace|update|delete)\b/i;

/** How often each statement was run, by its text. */
export type StatementCounts = readonly (readonly [sql: string, count: number])[];

const counts = new Map<string, number>();
const prepare: (this: DatabaseSync, sql: string) => StatementSync = Reflect.get(
  DatabaseSync.prototype,
  "prepare",
);

const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

DatabaseSync.prototype.prepare = function (sql) {
  const isAlone = () => WRITES.test(sql) && !this.isTransaction;
  const statement = prepare.call(this, sql);
  return new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === "all" || name === "get" || name === "run") {
        count(sql);
        if (isAlone()) count(BY_ITSELF);
      }
      return value.bind(target);
    },
  });
};

process.on("message", (message) => {
  if (message === "statements") process.send?.([...counts] satisfies StatementCounts);
});
