import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateGroup } from "../../../src/common/contract.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { openDatabase, type Database } from "../../../src/infrastructure/storage/database.ts";
import type { Slot } from "../../../src/infrastructure/storage/slot-table.ts";

const W = 1000;

const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);

/** For how long nothing is taken from now on, in milliseconds; 0 where something is. */
const pause = async (log: WindowLog, scope = "key:a", group: RateGroup = "video") => {
  const { slot, freeAt = [] } = { freeAt: undefined, ...(await log.take(group, [scope], 100)) };
  return slot ? 0 : (freeAt[0] ?? 0) - Date.now();
};

const setBack = (ms: number) => void vi.setSystemTime(Date.now() - ms);

describe("the window log", () => {
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

  it("takes a slot in every scope or in none", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const log = new WindowLog(database, W);
    const first = await log.take("video", ["key:a", "egress"], 1);
    expect(first.slot).toBeDefined();
    const now = Date.now();
    expect(await log.take("video", ["key:b", "egress"], 1)).toEqual({
      slot: undefined,
      freeAt: [now, now + W + 1],
    });
    expect((await log.take("video", ["key:b"], 1)).slot).toBeDefined();
    expect((await log.take("status", ["key:a", "egress"], 1)).slot).toBeDefined();
  });

  it("frees a slot after one window from the answer, and at once if nothing was sent", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const log = new WindowLog(database, W);
    const { slot } = await log.take("video", ["k"], 1);
    vi.advanceTimersByTime(5 * W);
    if (slot) await log.release(slot);
    vi.advanceTimersByTime(W);
    expect((await log.take("video", ["k"], 1)).slot).toBeUndefined();
    vi.advanceTimersByTime(1);
    const next = await log.take("video", ["k"], 1);
    if (next.slot) await log.cancel(next.slot);
    expect((await log.take("video", ["k"], 1)).slot).toBeDefined();
    vi.advanceTimersByTime(1_001);
    await log.take("video", ["k"], 1);
    expect(await database.kysely.selectFrom("rate_slots").selectAll().execute()).toHaveLength(1);
  });

  it("frees a slot that was never answered after three windows", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const log = new WindowLog(database, W);
    await log.take("video", ["k"], 1);
    vi.advanceTimersByTime(3 * W);
    expect(await log.take("video", ["k"], 1)).toEqual({ slot: undefined, freeAt: [Date.now() + 1] });
    vi.advanceTimersByTime(1);
    expect((await log.take("video", ["k"], 1)).slot).toBeDefined();
  });

  it("gives as many slots as there may be, and says when the first of them is free again", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const log = new WindowLog(database, W);
    const start = Date.now();
    for (let nth = 0; nth < 3; nth += 1) {
      const { slot } = await log.take("video", ["k"], 3);
      if (slot) await log.release(slot);
      vi.advanceTimersByTime(10);
    }
    expect(await log.take("video", ["k"], 3)).toEqual({ slot: undefined, freeAt: [start + W + 1] });
    expect(await log.take("video", ["k"], 2)).toEqual({ slot: undefined, freeAt: [start + 10 + W + 1] });
    expect((await log.take("video", ["k"], 4)).slot).toBeDefined();
  });

  describe("after a 429", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));

    it("gives nothing for a quarter of a window, then twice as long", async () => {
      const log = new WindowLog(database, W);
      const start = Date.now();
      await log.block("video", "key:a", start);
      expect([await pause(log), await pause(log, "key:b"), await pause(log, "key:a", "status")]).toEqual([
        250, 0, 0,
      ]);
      vi.advanceTimersByTime(100);
      // It was on its way when the waiting began.
      await log.block("video", "key:a", start);
      expect(await pause(log)).toBe(150);
      await log.block("video", "key:a", start + 1);
      expect(await pause(log)).toBe(500);
    });

    it("takes what left before the last pause began for no new refusal", async () => {
      const log = new WindowLog(database, W);
      const start = Date.now();
      await log.block("video", "key:a", start);
      vi.advanceTimersByTime(300);
      await log.block("video", "key:a", Date.now());
      await log.block("video", "key:a", start + 1);
      expect(await pause(log)).toBe(500);
    });

    it("begins anew a window after the last pause, not before", async () => {
      const log = new WindowLog(database, W);
      await log.block("video", "key:a", Date.now());
      vi.advanceTimersByTime(250 + W);
      await log.block("video", "key:a", Date.now());
      expect(await pause(log)).toBe(500);
      vi.advanceTimersByTime(500 + W + 1);
      await log.block("video", "key:a", Date.now());
      expect(await pause(log)).toBe(250);
    });

    it("does what the service asks for, whenever the request was sent, but nothing sooner than it said", async () => {
      const log = new WindowLog(database, W);
      const start = Date.now();
      await log.block("video", "key:a", start);
      await log.block("video", "key:a", start, 3_000.5);
      expect(await pause(log)).toBe(3_001);
      await log.block("video", "key:a", start, 10);
      expect(await pause(log)).toBe(3_001);
    });

    it("tells for a window that another key met one, too", async () => {
      const log = new WindowLog(database, W);
      await log.block("video", "key:a", Date.now());
      await log.block("video", "egress:e", Date.now());
      const met = async (scope: string, group: RateGroup = "video") => log.blockedToo(group, "key:", scope);
      expect([await met("key:b"), await met("key:a"), await met("key:b", "status")]).toEqual([
        true,
        false,
        false,
      ]);
      vi.advanceTimersByTime(W);
      expect(await met("key:b")).toBe(true);
      vi.advanceTimersByTime(1);
      expect(await met("key:b")).toBe(false);
    });
  });

  it.each([
    ["take", (log: WindowLog) => log.take("video", ["k"], 5)],
    ["flush", (log: WindowLog, slot: Slot) => log.release(slot).then(() => log.flush())],
    ["cancel", (log: WindowLog, slot: Slot) => log.cancel(slot)],
    ["block", (log: WindowLog) => log.block("video", "k", Date.now())],
  ])("fails where it cannot be written: %s", async (_, write) => {
    const log = new WindowLog(database, W);
    const { slot } = await log.take("video", ["k"], 5);
    if (!slot) throw new Error("There is no slot.");
    for (const table of ["rate_slots", "rate_blocks"])
      for (const event of ["insert", "delete"])
        await sql`
          create trigger ${sql.raw(`no_${event}_${table}`)} before ${sql.raw(event)} on ${sql.table(table)}
          begin select raise(abort, 'disk'); end`.execute(database.kysely);
    await expect(write(log, slot)).rejects.toThrow("disk");
  });

  it("writes what was released with the next slot, by the time at which it was, or soon without one", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "performance"] });
    const log = new WindowLog(database, W);
    const untilOf = async ({ id }: Slot) => {
      const row = database.kysely.selectFrom("rate_slots").select("until").where("id", "=", id);
      return (await row.executeTakeFirstOrThrow()).until - Date.now();
    };
    const taken = await Promise.all(["a", "b"].map((scope) => log.take("video", [scope], 5)));
    const [a, b] = taken.map(({ slot }) => slot);
    if (!a || !b) throw new Error("There is no slot.");
    await log.release(a);
    vi.advanceTimersByTime(40);
    expect(await untilOf(a)).toBe(3 * W - 40);
    await log.take("video", ["c"], 5);
    expect([await untilOf(a), await untilOf(b)]).toEqual([W - 40, 3 * W - 40]);
    await log.release(b);
    await vi.advanceTimersByTimeAsync(100);
    await expect.poll(() => untilOf(b)).toBe(W - 100);
  });

  it("writes with the next slot what could not be written when it was released", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const log = new WindowLog(database, W);
    const { slot } = await log.take("video", ["k"], 1);
    if (slot) await log.release(slot);
    const { kysely } = database;
    await sql`create trigger full before insert on rate_slots begin select raise(abort, 'disk'); end`.execute(
      kysely,
    );
    await expect(log.take("status", ["k"], 1)).rejects.toThrow("disk");
    await sql`drop trigger full`.execute(kysely);
    await log.take("status", ["k"], 1);
    vi.advanceTimersByTime(W + 1);
    expect((await log.take("video", ["k"], 1)).slot).toBeDefined();
  });

  it("forgets slots and pauses that count no more", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const log = new WindowLog(database, W);
    await log.take("video", ["old"], 5);
    await log.block("video", "old", Date.now());
    vi.advanceTimersByTime(3 * W + 1);
    await log.take("video", ["new"], 5);
    await log.block("video", "new", Date.now());
    const { kysely } = database;
    const scopes = await Promise.all([
      kysely.selectFrom("rate_slots").select("scope").execute(),
      kysely.selectFrom("rate_blocks").select("scope").execute(),
    ]);
    expect(scopes).toEqual([[{ scope: "new" }], [{ scope: "new" }]]);
  });

  describe("when the clock is set back", () => {
    const YEAR_MS = 365 * 86_400_000;
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));

    it.each([W / 2, 10 * W, YEAR_MS])(
      "by %i ms, counts for a whole window what was answered just before",
      async (ms) => {
        const log = new WindowLog(database, W);
        const { slot } = await log.take("video", ["k"], 1);
        if (slot) await log.release(slot);
        setBack(ms);
        const isFree = async () => (await log.take("video", ["k"], 1)).slot !== undefined;
        expect(await isFree()).toBe(false);
        vi.advanceTimersByTime(W - 1);
        expect(await isFree()).toBe(false);
        // As long as a call may be under way: what was answered is not told from what was not.
        vi.advanceTimersByTime(2 * W + 2);
        expect(await isFree()).toBe(true);
      },
    );

    it("counts what is still out until it is answered", async () => {
      const log = new WindowLog(database, W);
      const { slot } = await log.take("video", ["k"], 1);
      setBack(YEAR_MS);
      expect((await log.take("video", ["k"], 1)).slot).toBeUndefined();
      vi.advanceTimersByTime(2 * W);
      if (slot) await log.release(slot);
      vi.advanceTimersByTime(W);
      expect((await log.take("video", ["k"], 1)).slot).toBeUndefined();
      vi.advanceTimersByTime(1);
      expect((await log.take("video", ["k"], 1)).slot).toBeDefined();
    });

    it("waits after a 429 once more for as long as it was to, also in the next process", async () => {
      await new WindowLog(database, W).block("video", "key:a", Date.now(), 700);
      setBack(YEAR_MS);
      const log = new WindowLog(database, W);
      expect(await pause(log)).toBe(700);
      await log.block("video", "key:a", Date.now(), 300);
      expect(await pause(log)).toBe(700);
      vi.advanceTimersByTime(700);
      expect(await pause(log)).toBe(0);
    });
  });

  it("gives no slot twice to processes that share it", async () => {
    const script = `
      const { openDatabase } = await import(${source("infrastructure/storage/database.ts")});
      const { WindowLog } = await import(${source("infrastructure/queue/window-log.ts")});
      const database = await openDatabase(${JSON.stringify(join(folder, "reelay.db"))});
      const log = new WindowLog(database, 600_000);
      let taken = 0;
      for (let i = 0; i < 60; i += 1) if ((await log.take("video", ["k", "e"], 100)).slot) taken += 1;
      process.stdout.write(String(taken));`;
    const taken = await Promise.all(
      Array.from({ length: 3 }, () =>
        text(
          spawn(process.execPath, ["--input-type=module", "-e", script], {
            stdio: ["ignore", "pipe", "inherit"],
          }).stdout,
        ),
      ),
    );
    expect(taken.map(Number).reduce((sum, count) => sum + count)).toBe(100);
  });

  it("counts what another process took while it was waited for", async () => {
    const script = `
      const { DatabaseSync } = await import("node:sqlite");
      const database = new DatabaseSync(${JSON.stringify(join(folder, "reelay.db"))});
      database.exec("begin immediate");
      process.stdout.write("locked");
      setTimeout(() => {
        const until = Date.now() + ${3 * W};
        database.prepare("insert into rate_slots values ('theirs', 'k', 'video', ?)").run(until);
        database.exec("commit");
      }, 200);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    expect((await new WindowLog(database, W).take("video", ["k"], 1)).slot).toBeUndefined();
    await ended;
  });
});
