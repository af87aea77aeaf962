import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** Two connections to one file, as two processes have them. */
async function two() {
  const path = join(temporaryFolder(), "reelay.db");
  const [here, there] = [await openDatabase(path), await openDatabase(path)];
  return {
    here,
    there,
    async [Symbol.asyncDispose]() {
      await here.close();
      await there.close();
    },
  };
}

describe("what is kept in mind of the database", () => {
  it("is asked for once while nothing changes it, also that there is nothing", async () => {
    await using files = await two();
    const { reads } = files.here;
    let asked = 0;
    const read = async () => ++asked && undefined;
    for (let time = 0; time < 3; time++) expect(await reads.get("kv", "a", read)).toBeUndefined();
    await memory(files.here, "other").set("b", 1);
    await reads.get("kv", "a", read);
    expect(asked).toBe(1);
    await files.here.kysely.deleteFrom("kv").execute();
    await reads.get("kv", "a", read);
    expect(asked).toBe(2);
  });

  it("is what was written last, here or elsewhere", async () => {
    await using files = await two();
    const [here, there] = [memory(files.here, "people"), memory(files.there, "people")];
    for (let time = 0; time < 20; time++) {
      await here.set("anna", time);
      expect(await there.get("anna")).toBe(time);
      expect(await here.get("anna")).toBe(time);
      await there.change<number>("anna", (before = 0) => before + 1_000);
      expect(await here.get("anna")).toBe(time + 1_000);
      await there.delete("anna");
      expect(await here.get("anna")).toBeUndefined();
    }
  });

  it("waits for a transaction that changes it, and keeps nothing of one that is taken back", async () => {
    await using files = await two();
    const store = memory(files.here, "people");
    await store.set("anna", "before");
    expect(await store.get("anna")).toBe("before");
    let meanwhile: Promise<unknown> | undefined;
    const failed = files.here.kysely.transaction().execute(async (kysely) => {
      await memory({ kysely }, "people").set("anna", "within");
      meanwhile = store.get("anna");
      expect(await memory({ kysely }, "people").get("anna")).toBe("within");
      throw new Error("taken back");
    });
    await expect(failed).rejects.toThrow("taken back");
    expect(await meanwhile).toBe("before");
    expect(await store.get("anna")).toBe("before");
  });

  it("ends with its time", async () => {
    await using files = await two();
    const store = memory(files.here, "people");
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await store.set("anna", "here", 30);
      vi.setSystemTime(Date.now() + 29);
      expect(await store.get("anna")).toBe("here");
      vi.setSystemTime(Date.now() + 1);
      expect(await store.get("anna")).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not what was read before a change and came after it", async () => {
    await using files = await two();
    const { reads, kysely } = files.here;
    const entry = { namespace: "n", key: "k", expires_at: null };
    const read = (value: string) =>
      reads.get("kv", "n\0k", async () => {
        await kysely
          .insertInto("kv")
          .values({ ...entry, value })
          .onConflict((conflict) => conflict.columns(["namespace", "key"]).doUpdateSet({ value }))
          .execute();
        return value;
      });
    expect(await read("first")).toBe("first");
    expect(await read("second")).toBe("second");
  });

  it("forgets the oldest beyond a bound", async () => {
    await using files = await two();
    const { reads } = files.here;
    for (let one = 0; one <= 5_000; one++) await reads.get("kv", `${one}`, async () => one);
    expect(await reads.get("kv", "0", async () => "asked anew")).toBe("asked anew");
    expect(await reads.get("kv", "5000", async () => "asked anew")).toBe(5_000);
  });
});
