import { DatabaseSync, type StatementSync } from "node:sqlite";

/** How often each statement was run, by its text. */
export type StatementCounts = readonly (readonly [sql: string, count: number])[];

const counts = new Map<string, number>();
const prepare: (this: DatabaseSync, sql: string) => StatementSync = Reflect.get(
  DatabaseSync.prototype,
  "prepare",
);

DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  return new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === "all" || name === "get" || name === "run") counts.set(sql, (counts.get(sql) ?? 0) + 1);
      return value.bind(target);
    },
  });
};

process.on("message", (message) => {
  if (message === "statements") process.send?.([...counts] satisfies StatementCounts);
});
