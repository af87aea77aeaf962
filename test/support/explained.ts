import { DatabaseSync } from "node:sqlite";
import type { KyselyPlugin } from "kysely";
import type { Database } from "../../src/infrastructure/storage/database.ts";

/** A database whose queries are explained as they are asked, and how SQLite means to answer them. */
export function explained(database: Database, path: string) {
  const plans: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql, parameters } = database.kysely.getExecutor().compileQuery(node, queryId);
      const sqlite = new DatabaseSync(path, { readOnly: true });
      const plan = sqlite.prepare(`explain query plan ${sql}`).all(...(parameters as (string | number)[]));
      sqlite.close();
      plans.push(...plan.map(({ detail }) => String(detail)));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { database: { ...database, kysely: database.kysely.withPlugin(plugin) }, plans };
}
