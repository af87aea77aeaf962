import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase, type Database } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";

describe("the key-value store", () => {
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "reelay-"));
    database = await openDatabase(join(folder, "reelay.db"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
    rmSync(folder, { recursive: true });
  });

  /** Which keys are there after one more was written, in a transaction and a store of its own. */
  const keysAfter = async (key: string) => {
    await database.kysely.transaction().execute((kysely) => memory({ kysely }, key).set(key, 1, 1000));
    return (await database.kysely.selectFrom("kv").select("key").execute()).map((row) => row.key);
  };

  it("reads the entries under a prefix alone", async () => {
    const store = memory(database, "a");
    for (const key of ["p:1", "p:1:ż", "p:10", "q:1"]) await store.set(key, key);
    await memory(database, "b").set("p:1:b", 1);
    expect(await store.entries("p:1:")).toEqual([["p:1:ż", "p:1:ż"]]);
    expect((await store.entries("p:")).map(([key]) => key).toSorted()).toEqual(["p:1", "p:10", "p:1:ż"]);
  });

  it("keeps what it was given, whatever its shape", async () => {
    const store = memory(database, "a");
    const values = {
      text: ":colon",
      colons: { list: ["a", ":b"], ":c": ":d", "": 1, said: '[":e"]' },
      deep: { list: [1, null, true], empty: "" },
      zero: 0,
      no: false,
    };
    for (const [key, value] of Object.entries(values)) await store.set(key, value);
    await store.set("zero", 1);
    await store.set("zero", 0);
    for (const [key, value] of Object.entries(values)) expect(await store.get(key)).toEqual(value);
    expect(await store.get("unknown")).toBeUndefined();
    expect(Object.fromEntries(await store.entries())).toEqual(values);
  });

  it("reads what keyv wrote", async () => {
    const value = '{"value":{"text":":::colon","list":[1,null]},"expires":4102444800000}';
    await database.kysely
      .insertInto("kv")
      .values({ namespace: "a", key: "old", value, expires_at: 4_102_444_800_000 })
      .execute();
    expect(await memory(database, "a").get("old")).toEqual({ text: "::colon", list: [1, null] });
  });

  it("keeps namespaces apart", async () => {
    const [a, b] = [memory(database, "a"), memory(database, "b")];
    await a.set("key", 1);
    await b.set("key", 2);
    await a.delete("key");
    expect(await a.get("key")).toBeUndefined();
    expect(await b.entries()).toEqual([["key", 2]]);
  });

  it("forgets what has expired, and clears it away", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const store = memory(database, "a");
    await store.set("short", 1, 1000);
    await store.set("long", 2);
    vi.advanceTimersByTime(999);
    expect(await store.get("short")).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await store.get("short")).toBeUndefined();
    expect(await store.entries()).toEqual([["long", 2]]);
    vi.advanceTimersByTime(60_000);
    await store.set("other", 3);
    const rows = await database.kysely.selectFrom("kv").select("key").execute();
    expect(rows.map(({ key }) => key).sort()).toEqual(["long", "other"]);
  });

  it("takes part in a transaction", async () => {
    const store = memory(database, "a");
    await store.set("key", 1);
    const failing = database.kysely.transaction().execute(async (transaction) => {
      await memory({ kysely: transaction }, "a").set("key", 2);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await store.get("key")).toBe(1);
  });

  it("adds an entry where there is none, or one that is over: also in a transaction, with all else in it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const store = memory(database, "a");
    expect(await store.get("key")).toBeUndefined();
    expect(await store.add("key", { nth: 1 }, 1000)).toBe(true);
    expect(await store.add("key", { nth: 2 })).toBe(false);
    expect(await store.get("key")).toEqual({ nth: 1 });
    vi.advanceTimersByTime(1000);
    const added = await database.kysely.transaction().execute(async (kysely) => {
      const within = memory({ kysely }, "a");
      return [await within.add("key", { nth: 3 }), await within.add("key", { nth: 4 })];
    });
    expect(added).toEqual([true, false]);
    const failing = database.kysely.transaction().execute(async (kysely) => {
      await memory({ kysely }, "a").add("other", 1);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await store.entries()).toEqual([["key", { nth: 3 }]]);
  });

  it("clears away what has expired once in a minute, whoever writes in whatever transaction", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    expect(await keysAfter("a")).toEqual(["a"]);
    vi.advanceTimersByTime(59_999);
    expect(await keysAfter("b")).toEqual(["a", "b"]);
    vi.advanceTimersByTime(1);
    expect(await keysAfter("c")).toEqual(["b", "c"]);
    // Also where the clock was set back meanwhile.
    vi.advanceTimersByTime(3_600_000);
    vi.setSystemTime(Date.now() - 3_540_000);
    expect(await keysAfter("d")).toEqual(["d"]);
  });

  it("throws when the database does", async () => {
    const store = memory(database, "a");
    await database.kysely.schema.dropTable("kv").execute();
    await expect(store.get("key")).rejects.toThrow("no such table");
    await expect(store.set("key", 1)).rejects.toThrow("no such table");
    await expect(store.delete("key")).rejects.toThrow("no such table");
    await expect(store.entries()).rejects.toThrow("no such table");
  });
});
