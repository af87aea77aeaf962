import { afterAll, vi } from "vitest";
import { startPostgres } from "./postgres.ts";

// Has the tests of a file find PostgreSQL where they open a database, one for each path; where it cannot be started, SQLite.
const server = await startPostgres();
const databases = new Map<string, ReturnType<NonNullable<typeof server>["createDatabase"]>>();

afterAll(() => server?.stop());

if (server)
  vi.doMock("../../src/infrastructure/storage/database.ts", async (original) => {
    const { openPostgres } = await import("../../src/infrastructure/storage/postgres/database.ts");
    return {
      ...(await original<object>()),
      async openDatabase(path: string) {
        const made = databases.get(path) ?? server.createDatabase();
        databases.set(path, made);
        return openPostgres((await made)());
      },
    };
  });
