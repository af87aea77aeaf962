import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { atomically } from "../../../src/infrastructure/storage/exclusive.ts";
import { prepared } from "../../../src/infrastructure/storage/prepared.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

async function opened() {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  onTestFinished(() => database.close());
  let built = 0;
  const write = prepared((db, entry: { key: string; value: string; until: number | null }) => {
    built += 1;
    const { key, value, until } = entry;
    return db
      .insertInto("kv")
      .values({ namespace: "a", key, value, expires_at: until })
      .onConflict((known) => known.columns(["namespace", "key"]).doUpdateSet({ value }))
      .returning(["key", "value", "expires_at"]);
  });
  return { database, write, builds: () => built };
}

describe("a prepared statement", () => {
  it("is built once, and run with the values of each time, wherever they stand in it", async () => {
    const { database, write, builds } = await opened();
    const first = { key: "one", value: "1", until: null };
    expect((await write(database.kysely, first)).rows).toEqual([
      { key: "one", value: "1", expires_at: null },
    ]);
    const other = { key: "two", value: "2", until: 7 };
    expect((await write(database.kysely, other)).rows).toEqual([{ key: "two", value: "2", expires_at: 7 }]);
    const again = { ...first, value: "3" };
    expect((await write(database.kysely, again)).rows).toEqual([
      { key: "one", value: "3", expires_at: null },
    ]);
    expect(builds()).toBe(1);
  });

  it("is one of a transaction's, where it is run in one", async () => {
    const { database, write } = await opened();
    const failing = atomically(database.kysely, async (within) => {
      await write(within, { key: "one", value: "1", until: null });
      throw new Error("not today");
    });
    await expect(failing).rejects.toThrow("not today");
    expect(
      await database.kysely.selectFrom("kv").select("key").where("namespace", "=", "a").execute(),
    ).toEqual([]);
  });
});
