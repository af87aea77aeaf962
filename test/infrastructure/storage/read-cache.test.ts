import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { aRequest } from "../../support/job.ts";
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

  it("is not forgotten for a statement that found nothing to change", async () => {
    await using files = await two();
    const { kysely, reads } = files.here;
    let asked = 0;
    const read = async () => ++asked;
    await reads.get("jobs", "a", read);
    await kysely.updateTable("jobs").set({ runner: "other" }).where("runner", "=", "gone").execute();
    await kysely.transaction().execute((within) => within.deleteFrom("jobs").execute());
    expect([await reads.get("jobs", "a", read), asked]).toEqual([1, 1]);
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

  it("is read once for all who ask meanwhile, whatever else is written, and anew after it was changed", async () => {
    await using files = await two();
    const { reads } = files.here;
    const store = memory(files.here, "n");
    const answers: ((answer: string) => void)[] = [];
    const read = () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      answers.push(resolve);
      return promise;
    };
    const ask = () => reads.get("kv", "n\0k", read);
    const before = [ask(), ask()];
    await store.set("other", 1);
    before.push(ask());
    expect(answers).toHaveLength(1);
    await store.set("k", 1);
    const after = [ask(), ask()];
    expect(answers).toHaveLength(2);
    answers[1]?.("after");
    answers[0]?.("before");
    expect(await Promise.all(before)).toEqual(["before", "before", "before"]);
    expect(await Promise.all(after)).toEqual(["after", "after"]);
    expect(await ask()).toBe("after");
    expect(answers).toHaveLength(2);
  });

  it("is read anew after it could not be", async () => {
    await using files = await two();
    const { reads } = files.here;
    await expect(reads.get("kv", "a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await reads.get("kv", "a", async () => "there")).toBe("there");
  });

  it("forgets the oldest beyond a bound", async () => {
    await using files = await two();
    const { reads } = files.here;
    for (let one = 0; one <= 5_000; one++) await reads.get("kv", `${one}`, async () => one);
    expect(await reads.get("kv", "0", async () => "asked anew")).toBe("asked anew");
    expect(await reads.get("kv", "5000", async () => "asked anew")).toBe(5_000);
  });

  it("is a job's row as the change that returned it left it, but none of a transaction that is taken back", async () => {
    await using files = await two();
    const { kysely, reads } = files.here;
    const ledger = new Ledger(files.here, "me");
    // It is seen for the first time.
    reads.revision("jobs");
    const { id } = await ledger.add(aRequest(), 1);
    let asked = 0;
    const read = async () => {
      asked += 1;
      return kysely.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
    };
    const receiptOf = async () => (await reads.get("jobs", id, read))?.receipt;
    const change = (db: typeof kysely, receipt: string) =>
      db.updateTable("jobs").set({ receipt }).where("id", "=", id).returningAll().execute();
    expect(await receiptOf()).toBeNull();
    await change(kysely, "1");
    expect(await receiptOf()).toBe("1");
    await kysely.transaction().execute(async (db) => change(db, "2"));
    expect(await receiptOf()).toBe("2");
    expect(asked).toBe(0);
    const failed = kysely.transaction().execute(async (db) => {
      await change(db, "3");
      throw new Error("taken back");
    });
    await expect(failed).rejects.toThrow("taken back");
    expect(await receiptOf()).toBe("2");
    await kysely.updateTable("jobs").set({ receipt: "4" }).where("id", "=", id).execute();
    expect(await receiptOf()).toBe("4");
    await files.there.kysely.updateTable("jobs").set({ receipt: "5" }).where("receipt", "=", "4").execute();
    expect(await receiptOf()).toBe("5");
    expect(asked).toBe(3);
  });
});
