import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NotFound, type ServiceJob, Unauthorized } from "../../../../src/infrastructure/api/media-api.ts";
import { RATE_LIMITS, RATE_WINDOW_MS } from "../../../../src/common/contract.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { video } from "../../../../src/domain/operations/video.ts";
import { ReadTimes } from "../../../../src/domain/jobs/polling/read-times.ts";
import { MINUTE_MS, POLL_MS, PollerHarness, record } from "./harness.ts";

let harness: PollerHarness;

beforeEach(async () => void (harness = await PollerHarness.open()));

afterEach(() => harness[Symbol.asyncDispose]());

const endsAfter = (id: string) => (id.startsWith("image") ? 20_000 : 60 * MINUTE_MS);

describe("the poller", () => {
  it("believes a 404 only after an hour, and says then what was charged", async () => {
    harness.read = async () => Promise.reject(new NotFound());
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    await harness.pass(2 * MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "running", awaits: "record" });
    await harness.pass(55 * MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "running", awaits: "record" });
    await harness.pass(60 * MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({
      state: "failed",
      cost: 4,
      error: { code: "job_missing" },
      delivery: "due",
    });
    expect(harness.reads.get("s-1")?.length).toBe(13);
  });

  it("forgets a 404 as soon as the job is known again, there or in the list", async () => {
    harness.read = async () => Promise.reject(new NotFound());
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    await harness.pass(10 * MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({ awaits: "record" });
    harness.listed = () => [record("s-other"), record("s-1", { progress: 50 })];
    await harness.pass(15 * MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({
      state: "running",
      awaits: null,
      progress: 50,
      attempts: 0,
    });
  });

  it("hammers no service that refuses the key, whatever many jobs it pays for", async () => {
    harness.read = async () => Promise.reject(new Unauthorized());
    await harness.poller.start();
    for (let nth = 0; nth < 20; nth++) await harness.running(`s-${nth}`);
    await harness.pass(3 * 60 * MINUTE_MS, 5_000);
    const all = [...harness.reads.values()].flat();
    expect(all.length).toBeGreaterThan(8);
    expect(all.length).toBeLessThan(20);
    const lastHour = all.filter((at) => at > Date.now() - 60 * MINUTE_MS);
    expect(lastHour.length).toBeLessThan(3);
    const states = await harness.database.kysely.selectFrom("jobs").select("awaits").distinct().execute();
    expect(states).toEqual([{ awaits: "key" }]);
  });

  it("takes no key for refused by a read that its own stop broke off", async () => {
    const { promise: answer, reject: refuse } = Promise.withResolvers<ServiceJob>();
    harness.read = () => answer;
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    await harness.pass(4 * POLL_MS);
    expect(harness.reads.size).toBe(1);
    const stopped = harness.poller.stop();
    refuse(new Unauthorized());
    await stopped;
    expect(await harness.ledger.find(id)).toMatchObject({ awaits: null });
  });

  it("asks at once for a job whose key was connected again", async () => {
    harness.read = async () => Promise.reject(new Unauthorized());
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    await harness.pass(60 * MINUTE_MS, 5_000);
    const waiting = await harness.ledger.find(id);
    if (waiting?.awaits !== "key") throw new Error("It does not wait for a key.");
    expect(waiting.notBefore - Date.now()).toBeGreaterThan(2 * MINUTE_MS);
    harness.read = async () => record("s-1");
    const before = harness.reads.get("s-1")?.length ?? 0;
    await harness.ledger.apply(waiting, { type: "woken" });
    await harness.pass(1_000, 100);
    expect(harness.reads.get("s-1")?.length).toBe(before + 1);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "running", awaits: null });
  });

  it("leaves alone what waits for something else when a key is accepted again", async () => {
    await harness.poller.start();
    const [forRecord, forKey] = [await harness.running("s-1"), await harness.running("s-2")];
    await harness.ledger.apply(forRecord, {
      type: "held",
      awaits: "record",
      until: Date.now() + 60 * MINUTE_MS,
    });
    await harness.ledger.apply(forKey, { type: "held", awaits: "key", until: Date.now() + POLL_MS });
    await harness.pass(MINUTE_MS);
    expect(await harness.ledger.find(forKey.id)).toMatchObject({ awaits: null });
    expect(await harness.ledger.find(forRecord.id)).toMatchObject({ awaits: "record" });
  });

  it("looks every fifteen seconds, no more often, for jobs that were woken elsewhere", async () => {
    const looks = vi.spyOn(harness.ledger, "inState");
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    for (let nth = 2; nth <= 9; nth++) await harness.running(`s-${nth}`);
    const job = await harness.ledger.find(id);
    if (!job) throw new Error("It is there.");
    const held = { type: "held", awaits: "record", until: Date.now() + 60 * MINUTE_MS } as const;
    const waiting = await harness.ledger.apply(job, held);
    looks.mockClear();
    await harness.pass(5 * MINUTE_MS);
    expect(looks.mock.calls.length).toBeGreaterThan(15);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(21);
    expect(harness.reads.get("s-1")).toBeUndefined();
    // Another process with the same jobs: nobody hears of it here.
    await new Ledger(harness.database, "me").apply(waiting, { type: "woken" });
    await harness.pass(16_000);
    expect(harness.reads.get("s-1")).toHaveLength(1);
  });

  it("reads no job any longer that another process took over", async () => {
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    let progress = 0;
    harness.read = async () => record("s-1", { progress: (progress += 1) });
    await harness.pass(MINUTE_MS);
    await harness.database.kysely
      .updateTable("jobs")
      .set({ runner: "another", fence: 1 })
      .where("id", "=", id)
      .execute();
    const before = harness.reads.get("s-1")?.length ?? 0;
    await harness.pass(10 * MINUTE_MS);
    expect(before).toBeGreaterThan(0);
    expect(harness.reads.get("s-1")?.length).toBe(before + 1);
  });

  it("turns no page of the list once every job was seen, and asks by itself for none that was", async () => {
    const names = Array.from({ length: 6 }, (_, nth) => `s-${nth}`);
    for (const name of names) await harness.running(name);
    harness.listed = () => names.map((name) => record(name));
    await harness.poller.start();
    await harness.pass(5 * MINUTE_MS);
    expect(harness.pages.length).toBeGreaterThan(3);
    expect(new Set(harness.pages)).toEqual(new Set([1]));
    expect(harness.reads.size).toBe(0);
  });

  it("takes a database that cannot be read for no missing key", async () => {
    harness.keyOf = async () => Promise.reject(new Error("disk I/O error"));
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    await harness.pass(MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "running", awaits: null });
  });

  it("reads no job sooner than is allowed after a restart, and not all of them at once", async () => {
    await harness.poller.start();
    for (let nth = 0; nth < 10; nth++) {
      await harness.running(`s-${nth}`);
      await harness.pass(3_000);
    }
    await harness.pass(5 * MINUTE_MS);
    const kept = await new ReadTimes(harness.database).all();
    expect(new Set(kept.values())).toEqual(new Set([...harness.reads.values()].map((times) => times.at(-1))));
    for (let restarts = 0; restarts < 5; restarts++) {
      await harness.poller.stop();
      await harness.pass(1_000);
      harness.poller = harness.makePoller();
      await harness.poller.start();
      await harness.pass(7_000);
    }
    for (const times of harness.reads.values()) {
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(POLL_MS);
    }
    const restarted = [...harness.reads.values()].map((times) => times.at(-1) ?? 0);
    expect(new Set(restarted).size).toBeGreaterThan(1);
  });

  it("spends nearly all that may be asked and leaves people a twentieth, however many jobs there are", async () => {
    await harness.poller.start();
    for (let nth = 0; nth < 40; nth++)
      await harness.running(`s-${nth}`, { operation: "image", values: { prompt: "a lake" } });
    await harness.pass(RATE_WINDOW_MS);
    const from = Date.now();
    await harness.pass(5 * RATE_WINDOW_MS);
    const asked = [...harness.reads.values()].flat().filter((at) => at >= from);
    const share = asked.length / (5 * RATE_LIMITS.status);
    expect(share).toBeLessThanOrEqual(0.95);
    expect(share).toBeGreaterThan(0.85);
  });

  it("reads others' jobs while the list does not show some yet, and those by the list once it does", async () => {
    const born = new Map<string, number>();
    const now = (id: string) => {
      const createdAt = born.get(id) ?? 0;
      const completedAt = createdAt + endsAfter(id);
      if (Date.now() < completedAt) return record(id);
      return record(id, { state: "completed", createdAt, completedAt, imageUrl: "/i" });
    };
    // As slow as the published rate lets reads be.
    let line = Promise.resolve();
    harness.read = async (id) => {
      line = line.then(() => new Promise((resolve) => setTimeout(resolve, 500)));
      await line;
      return now(id);
    };
    harness.listed = () =>
      [...born].filter(([id, at]) => id.startsWith("s") && Date.now() >= at + 20_000).map(([id]) => now(id));
    const start = async (id: string, asked = {}) => {
      born.set(id, Date.now());
      await harness.running(id, asked);
    };
    const image = { operation: "image", values: { prompt: "a lake" } };
    await harness.poller.start();
    await start("image-known", image);
    await harness.pass(40_000);
    for (let nth = 0; nth < 30; nth++) await start(`s-${nth}`);
    await harness.pass(MINUTE_MS);
    for (let nth = 0; nth < 6; nth++) await start(`image-${nth}`, image);
    await harness.pass(MINUTE_MS);
    expect(await harness.ledger.inState("running")).toHaveLength(30);
    const alone = harness.reads.get("s-0")?.length;
    harness.pages.length = 0;
    await harness.pass(2 * MINUTE_MS);
    expect(harness.pages.length).toBeGreaterThan(3);
    expect(harness.reads.get("s-0")?.length).toBe(alone);
  });

  it("reads a kind of which one took long, or seemed to, within minutes all the same", async () => {
    const born = new Map<string, number>();
    harness.read = async (id) => {
      const createdAt = born.get(id) ?? 0;
      const completedAt = createdAt + (id === "long" ? 60 * MINUTE_MS : 20_000);
      if (Date.now() < completedAt) return record(id);
      return record(id, { state: "completed", createdAt, completedAt, imageUrl: "/i" });
    };
    const start = async (id: string) => {
      born.set(id, Date.now());
      await harness.running(id, { operation: "image", values: { prompt: "a lake" } });
    };
    await harness.poller.start();
    await start("long");
    await harness.pass(61 * MINUTE_MS, 5_000);
    for (let nth = 0; nth < 12; nth++) await start(`${nth}`);
    await harness.pass(3 * MINUTE_MS);
    expect(await harness.ledger.inState("running")).toEqual([]);
  });

  it("learns nothing from a clock of the service that was set while a job ran", async () => {
    const createdAt = Date.now();
    const isOver = () => Date.now() >= createdAt + 20_000;
    const set = {
      state: "completed",
      createdAt,
      completedAt: createdAt + 60 * MINUTE_MS,
      videoUrl: "/v",
    } as const;
    harness.read = async (id) => record(id, isOver() ? set : {});
    await harness.poller.start();
    const { operation, values } = await harness.running("s-1");
    await harness.pass(MINUTE_MS);
    expect(harness.experience.durations(operation, video.size(values))?.latestMs).toBeLessThan(2 * MINUTE_MS);
  });

  it("waits as long as it must with the next read where what a read told could not be written", async () => {
    harness.read = async () => {
      throw new Unauthorized();
    };
    await harness.poller.start();
    await harness.running("s-1");
    vi.spyOn(harness.ledger, "apply").mockRejectedValue(new Error("disk I/O error"));
    await harness.pass(MINUTE_MS);
    const times = harness.reads.get("s-1") ?? [];
    expect(times.length).toBeGreaterThan(1);
    for (const [nth, at] of times.slice(1).entries())
      expect(at - (times[nth] ?? 0)).toBeGreaterThanOrEqual(POLL_MS);
  });

  it("learns nothing from its own lag where records tell no times", async () => {
    const tookMs = 60_000;
    const started = new Map<string, number>();
    harness.read = async (id) => {
      const isOver = Date.now() - (started.get(id) ?? 0) >= tookMs;
      return isOver ? record(id, { state: "completed", videoUrl: "/v" }) : record(id);
    };
    await harness.poller.start();
    for (let nth = 0; nth < 40; nth++) {
      started.set(`s-${nth}`, Date.now());
      const { operation, values } = await harness.running(`s-${nth}`);
      await harness.pass(2 * MINUTE_MS);
      if (nth < 10) continue;
      const expected = harness.experience.durations(operation, video.size(values))?.usualMs ?? 0;
      expect(Math.abs(expected - tookMs)).toBeLessThan(15_000);
    }
  });
});
