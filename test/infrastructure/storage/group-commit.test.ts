import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { GroupCommitDialect } from "../../../src/infrastructure/storage/group-commit.ts";

/** A table on a disk whose every round ends when it is told to. */
function slowDisk() {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec("create table notes (text text not null) strict");
  const rounds: PromiseWithResolvers<void>[] = [];
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
  });
  const kysely = new Kysely<{ notes: { text: string } }>({ dialect });
  const durable: string[] = [];
  return {
    kysely,
    rounds,
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
  it("keeps a write that is alone waiting for the disk, and nobody else", async () => {
    const { write, read, rounds, durable } = slowDisk();
    const first = write("first");
    await expect.poll(() => rounds.length).toBe(1);
    expect([await read(), durable]).toEqual([["first"], []]);
    rounds[0]?.resolve();
    await first;
    expect(durable).toEqual(["first"]);
  });

  it("makes who came while the disk was at work wait for the next round, together", async () => {
    const { write, read, rounds, durable } = slowDisk();
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
    expect([durable, rounds.length]).toEqual([["first", "second", "third"], 2]);
  });

  it("does not count what a transaction wrote before its end", async () => {
    const { kysely, write, rounds, durable } = slowDisk();
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
    expect([durable, rounds.length]).toEqual([["alone"], 1]);
    half.resolve();
    await expect.poll(() => rounds.length).toBe(2);
    expect(durable).toEqual(["alone"]);
    rounds[1]?.resolve();
    await transaction;
    expect(durable).toEqual(["alone", "within"]);
  });

  it("asks the disk nothing where nothing was changed", async () => {
    const { kysely, read, rounds } = slowDisk();
    await read();
    await kysely.deleteFrom("notes").execute();
    expect(rounds).toEqual([]);
  });

  it("fails whoever was promised what a broken disk did not keep, and nobody else", async () => {
    const { write, rounds, durable } = slowDisk();
    const shared = [write("lost"), write("lost, too")].map((one) => one.catch((error: unknown) => error));
    await expect.poll(() => rounds.length).toBe(1);
    rounds[0]?.reject(new Error("EIO"));
    expect(await Promise.all(shared)).toMatchObject([{ message: "EIO" }, { message: "EIO" }]);
    const kept = write("kept");
    await expect.poll(() => rounds.length).toBe(2);
    rounds[1]?.resolve();
    await kept;
    expect(durable).toEqual(["kept"]);
  });
});
