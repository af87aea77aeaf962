import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WindowLog } from "../../src/queue/window-log.ts";
import { openDatabase, type Database } from "../../src/storage/database.ts";

const W = 1000;

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

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
    vi.useFakeTimers({ toFake: ["Date"] });
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
    vi.useFakeTimers({ toFake: ["Date"] });
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
    expect(await database.kysely.selectFrom("rate_slots").selectAll().execute()).toHaveLength(1);
  });

  it("is not stopped by a clock that was set back", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const log = new WindowLog(database, W);
    await log.take("video", ["k"], 1);
    vi.setSystemTime(Date.now() - 86_400_000);
    expect((await log.take("video", ["k"], 1)).slot).toBeDefined();
  });

  it("gives no slot twice to processes that share it", { timeout: 60_000 }, async () => {
    const script = `
      const { openDatabase } = await import(${source("storage/database.ts")});
      const { WindowLog } = await import(${source("queue/window-log.ts")});
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
});
