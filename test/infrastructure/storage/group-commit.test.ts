import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { GroupCommitDialect } from "../../../src/infrastructure/storage/group-commit.ts";

/** A table on a disk whose every round ends when it is told to. */
function slowDisk() {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec("create table notes (text text not null) strict");
  const rounds: PromiseWithResolvers<void>[] = [];
  const alone = { syncs: 0, broken: false };
  const dialect = new GroupCommitDialect({
    database: {
      prepare(sql) {
        const statement = sqlite.prepare(sql);
        return {
          reader: statement.columns().length > 0,
          all: (values: string[]) => statement.all(...values),
          run: (values: string[]) => statement.run(...values),
          iterate: (values: string[]) => statement.iterate(...values),
        };
      },
      close: () => sqlite.close(),
    },
    changes: () => Number(sqlite.prepare("select total_changes() as count").get()?.["count"]),
    sync() {
      const round = Promise.withResolvers<void>();
      rounds.push(round);
      return round.promise;
    },
    syncNow() {
      if (alone.broken) throw new Error("EIO");
      alone.syncs += 1;
    },
  });
  const kysely = new Kysely<{ notes: { text: string } }>({ dialect });
  const durable: string[] = [];
  return {
    kysely,
    rounds,
    alone,
    durable,
    read: async () => (await kysely.selectFrom("notes").select("text").execute()).map(({ text }) => text),
    write: (text: string) =>
      kysely
        .insertInto("notes")
        .values({ text })
        .execute()
        .then(() => durable.push(text)),
  };
}

describe("a group commit", () => {
  it("stands still for who is alone: there is no round to share", async () => {
    const { write, rounds, alone } = slowDisk();
    await write("first");
    await write("second");
    expect([alone.syncs, rounds.length]).toEqual([2, 0]);
  });

  it("makes who came while the disk was at work wait for the next round, together", async () => {
    const { write, read, rounds, durable, alone } = slowDisk();
    const writes = ["first", "second", "third"].map((text) => write(text));
    await expect.poll(() => rounds.length).toBe(1);
    // Readers wait for no disk.
    expect(await read()).toEqual(["first", "second", "third"]);
    expect(durable).toEqual([]);
    rounds[0]?.resolve();
    await expect.poll(() => rounds.length).toBe(2);
    expect(durable).toEqual(["first"]);
    rounds[1]?.resolve();
    await Promise.all(writes);
    expect([durable, rounds.length, alone.syncs]).toEqual([["first", "second", "third"], 2, 0]);
  });

  it("does not count what a transaction wrote before its end", async () => {
    const { kysely, write, rounds, durable, alone } = slowDisk();
    const half = Promise.withResolvers<void>();
    const first = write("alone");
    const transaction = kysely
      .transaction()
      .execute(async (db) => {
        await db.insertInto("notes").values({ text: "within" }).execute();
        await half.promise;
      })
      .then(() => durable.push("within"));
    await expect.poll(() => rounds.length).toBe(1);
    rounds[0]?.resolve();
    await first;
    expect([durable, alone.syncs]).toEqual([["alone"], 0]);
    half.resolve();
    await transaction;
    expect([durable, alone.syncs]).toEqual([["alone", "within"], 1]);
  });

  it("fails whoever was promised what a broken disk did not keep, and nobody else", async () => {
    const { write, rounds, durable, alone } = slowDisk();
    const shared = [write("lost"), write("lost, too")].map((one) => one.catch((error: unknown) => error));
    await expect.poll(() => rounds.length).toBe(1);
    rounds[0]?.reject(new Error("EIO"));
    expect(await Promise.all(shared)).toMatchObject([{ message: "EIO" }, { message: "EIO" }]);
    alone.broken = true;
    await expect(write("lost, alone")).rejects.toThrow("EIO");
    alone.broken = false;
    await write("kept");
    expect(durable).toEqual(["kept"]);
  });
});
