import { afterAll, vi } from "vitest";
import { startPostgres } from "./postgres.ts";

// Has the tests of a file find PostgreSQL where they open a database, one for each path; where it cannot be started, SQLite.
const server = await startPostgres();
const databases = new Map<string, Promise<string>>();

afterAll(() => server?.stop());

if (server)
  vi.doMock("../../src/infrastructure/storage/database.ts", async (original) => {
    const { connectPostgres } = await import("../../src/infrastructure/storage/postgres/connect.ts");
    return {
      ...(await original<object>()),
      async openDatabase(path: string) {
        const made = databases.get(path) ?? server.createDatabase();
        databases.set(path, made);
        return atRealTime(async () => connectPostgres(await made));
      },
    };
  });

/** A server whose time is another is gone by, and the time of a test is: also where it stood still for as long as connecting takes. */
async function atRealTime<T>(task: () => Promise<T>): Promise<T> {
  const set = vi.getMockedSystemTime();
  if (!set) return task();
  vi.useRealTimers();
  try {
    return await task();
  } finally {
    vi.useFakeTimers({ toFake: ["Date"], now: set });
  }
}
