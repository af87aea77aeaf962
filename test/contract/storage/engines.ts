import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
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

/** Those that can be tried here, until all tests of a file are done. */
export async function startEngines(): Promise<readonly Engine[]> {
  const server = await startPostgres();
  if (!server) return [sqlite];
  afterAll(() => server.stop());
  const postgres: Engine = {
    name: "PostgreSQL",
    async open() {
      const address = await server.createDatabase();
      return Promise.all([connectPostgres(address), connectPostgres(address)]);
    },
  };
  return [sqlite, postgres];
}

/** A new database that two nodes have open, until the test has finished. */
export async function twoNodes(engine: Engine): Promise<readonly [Database, Database]> {
  const nodes = await engine.open();
  onTestFinished(async () => {
    for (const node of new Set(nodes)) await node.close();
  });
  return nodes;
}
