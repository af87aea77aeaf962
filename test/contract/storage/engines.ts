import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { startPostgres } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** What keeps a database. */
export interface Engine {
  readonly name: string;
  /** Makes a database, and opens it for two nodes. */
  open(): Promise<readonly [Database, Database]>;
}

const sqlite: Engine = {
  name: "SQLite",
  // A second connection would stop this thread to wait for what the first does on it: there, nodes are processes.
  async open() {
    const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    return [database, database];
  },
};

const server = await startPostgres();

/** To be called when all is done. */
export const stopEngines = () => server?.stop();

/** Those that can be tried here. */
export const engines: readonly Engine[] = server
  ? [
      sqlite,
      {
        name: "PostgreSQL",
        async open() {
          const address = await server.createDatabase();
          return Promise.all([connectPostgres(address), connectPostgres(address)]);
        },
      },
    ]
  : [sqlite];

/** A new database that two nodes have open, until the test has finished. */
export async function twoNodes(engine: Engine): Promise<readonly [Database, Database]> {
  const nodes = await engine.open();
  onTestFinished(async () => {
    for (const node of new Set(nodes)) await node.close();
  });
  return nodes;
}
