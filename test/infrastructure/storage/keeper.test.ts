import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { isStorageDown, Keeper } from "../../../src/infrastructure/storage/keeper.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const down = () => new ReelayError("storage_down", { reason: "the disk is full" });

/** Something that fails so many times, and then is written. */
function failing(times: number, error: () => Error = down) {
  const write = vi.fn<() => Promise<string>>(async () => {
    if (write.mock.calls.length <= times) throw error();
    return "written";
  });
  return write;
}

describe("what keeps", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("writes at once where nothing is wrong, and asks nothing", async () => {
    const check = vi.fn<() => Promise<void>>(async () => {});
    const write = failing(0);
    expect(await new Keeper(check).keep(write)).toBe("written");
    expect([write.mock.calls.length, check.mock.calls.length]).toEqual([1, 0]);
  });

  it("writes again each second, once the data folder can be written, and not before", async () => {
    const check = failing(2);
    const write = failing(2);
    const kept = new Keeper(async () => void (await check())).keep(write);
    await vi.advanceTimersByTimeAsync(2_999);
    expect([write.mock.calls.length, check.mock.calls.length]).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect([write.mock.calls.length, check.mock.calls.length]).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await kept).toBe("written");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves every other failure to whoever writes", async () => {
    const write = failing(1, () => new Error("a mistake"));
    await expect(new Keeper(async () => {}).keep(write)).rejects.toThrow("a mistake");
    expect(write).toHaveBeenCalledTimes(1);
  });

  it("says when something begins to wait, once for all that wait together, and again the next time", async () => {
    const keeper = new Keeper(async () => {});
    const heard = vi.fn<(error: unknown) => void>();
    keeper.onWaiting(heard);
    for (const times of [1, 2]) {
      const kept = [keeper.keep(failing(1)), keeper.keep(failing(2)), keeper.keep(failing(0))];
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await Promise.all(kept)).toEqual(["written", "written", "written"]);
      expect(heard).toHaveBeenCalledTimes(times);
      expect(heard).toHaveBeenLastCalledWith(expect.objectContaining({ code: "storage_down" }));
    }
  });

  it("tries what waits once more as the process leaves, and everything after that once", async () => {
    const keeper = new Keeper(async () => {});
    const [late, never] = [failing(1), failing(Infinity)];
    const kept = Promise.allSettled([keeper.keep(late), keeper.keep(never)]);
    await vi.advanceTimersByTimeAsync(0);
    keeper.leave();
    expect(await kept).toMatchObject([
      { status: "fulfilled", value: "written" },
      { status: "rejected", reason: { code: "storage_down" } },
    ]);
    expect(never).toHaveBeenCalledTimes(2);
    const after = failing(Infinity);
    await expect(keeper.keep(after)).rejects.toSatisfy(isStorageDown);
    expect(after).toHaveBeenCalledTimes(1);
  });
});

describe("a database", () => {
  it("waits for a lock as long as whoever opened it can, before and after it waited in vain", async () => {
    const path = join(temporaryFolder(), "reelay.db");
    const database = await openDatabase(path, undefined, 300);
    const { kysely } = database;
    const patience = () => sql<{ timeout: number }>`pragma busy_timeout`.execute(kysely);
    const write = (key: string) =>
      kysely.insertInto("kv").values({ namespace: "a", key, value: "c", expires_at: null }).execute();
    expect((await patience()).rows).toEqual([{ timeout: 300 }]);
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    await expect(write("b")).rejects.toMatchObject({ code: "storage_down" });
    other.exec("rollback");
    other.close();
    await write("c");
    expect((await patience()).rows).toEqual([{ timeout: 300 }]);
    await database.close();
  });

  it("that waited for a lock in vain waits less, so that nothing freezes, until it has written again", async () => {
    const path = join(temporaryFolder(), "reelay.db");
    const database = await openDatabase(path);
    const { kysely, keeper } = database;
    const patience = async () =>
      (await sql<{ timeout: number }>`pragma busy_timeout`.execute(kysely)).rows[0]?.timeout;
    const entry = { namespace: "a", key: "b", value: "c", expires_at: null };
    const write = () => kysely.insertInto("kv").values(entry).execute();
    expect(await patience()).toBe(5_000);
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    const failed = Promise.withResolvers<unknown>();
    keeper.onWaiting(failed.resolve);
    const kept = keeper.keep(write);
    expect(await failed.promise).toMatchObject({ params: { reason: "another process keeps it locked" } });
    expect(await patience()).toBe(50);
    other.exec("rollback");
    other.close();
    await kept;
    expect(await patience()).toBe(5_000);
    expect(await kysely.selectFrom("kv").select("value").where("key", "=", "b").execute()).toEqual([
      { value: "c" },
    ]);
    await database.close();
  });

  it("whose disk does not take what was written says so, whoever else waits for it", async () => {
    let isBroken = true;
    const database = await openDatabase(join(temporaryFolder(), "reelay.db"), async () => {
      if (isBroken) throw new Error("EIO: i/o error, fdatasync");
    });
    const write = (key: string) =>
      database.kysely
        .insertInto("kv")
        .values({ namespace: "a", key, value: "c", expires_at: null })
        .execute();
    await expect(write("b")).rejects.toMatchObject({
      code: "storage_down",
      params: { reason: "the disk fails" },
    });
    await expect(database.check()).rejects.toSatisfy(isStorageDown);
    isBroken = false;
    await write("d");
    await database.close();
  });
});
