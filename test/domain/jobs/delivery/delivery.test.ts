import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Account, Accounts } from "../../../../src/domain/accounts/accounts.ts";
import { NotFound, Unauthorized } from "../../../../src/infrastructure/api/media-api.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { Copies } from "../../../../src/domain/jobs/delivery/copies.ts";
import { Outbox } from "../../../../src/domain/jobs/delivery/delivery.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import { Ledger, type NewJob } from "../../../../src/domain/jobs/ledger.ts";
import { Progress } from "../../../../src/domain/jobs/delivery/progress.ts";
import type { Database } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { TakesNoForm } from "../../../../src/seam/surface/takes-no-form.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { endedJob } from "../../../support/job.ts";
import { temporaryFolder, tinyClip } from "../../../support/sandbox.ts";
import { MemorySurface } from "../../../support/surface.ts";
import { eventually } from "../../../support/eventually.ts";
import { testDatabase } from "../../../support/database.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const DAY_MS = 24 * 3_600_000;

const whole = async () => ({ stream: createReadStream(tinyClip()), type: "video/mp4" });

/** A clip with fifty megabytes that mean nothing: two of these are more than one person's results may be at once. */
const large = async () => ({ stream: Readable.from(largeClip(), { objectMode: false }), type: "video/mp4" });
async function* largeClip() {
  yield* createReadStream(tinyClip());
  const [megabyte, megabytes] = [Buffer.alloc(2 ** 20), 50];
  const box = Buffer.alloc(8);
  box.writeUInt32BE(8 + megabytes * megabyte.length);
  box.write("free", 4);
  yield box;
  for (let nth = 0; nth < megabytes; nth += 1) yield megabyte;
}
const release = async () => ({ kind: "deliver", spoiler: false }) as const;

describe("the outbox", () => {
  let database: Database;
  /** Makes what the database's log holds survive a power cut. */
  let sync: FailingFolder["sync"];
  /** What it wrote to the log as wrong. */
  let lines: string[];
  /** And what it warned of. */
  let warnings: string[];
  let ledger: Ledger;
  let surface: MemorySurface;
  let outbox: Outbox;
  let now: number;
  let scratch: string;
  /** What the service does when a file is fetched. */
  let download: () => Promise<{ stream: Readable; type: string }>;
  /** What finds the key of a job. */
  let keyOf: () => Promise<void>;

  beforeEach(async () => {
    sync = (file) => file.datasync();
    database = await testDatabase(join(temporaryFolder(), "reelay.db"), (file) => sync(file));
    lines = [];
    warnings = [];
    const write = (line: string) => void (line.includes('"level":"warn"') ? warnings : lines).push(line);
    const log = makeLogger({ level: "warn", destination: { write } });
    ledger = new Ledger(database, "me");
    surface = new MemorySurface();
    now = Date.now();
    scratch = temporaryFolder();
    download = whole;
    keyOf = async () => {};
    // Its record is gone, too.
    const api = { download: () => download(), job: () => Promise.reject(new NotFound()) };
    const account = { keyId: "key-1", tellsBalance: true, api: () => api } as unknown as Account;
    const accounts = { of: () => keyOf().then(() => account) } as unknown as Accounts;
    const surfaces = new Surfaces([surface], []);
    const experience = await Experience.open(database, "sandbox");
    const progress = new Progress({ ledger, surfaces, experience, log });
    outbox = new Outbox({
      ledger,
      accounts,
      surfaces,
      progress,
      copies: new Copies(memory(database, "copies"), surfaces, log),
      release,
      experience,
      log,
      now: () => now,
      look: async () => {},
      scratch,
    });
  });

  afterEach(async () => {
    await outbox.stop();
    await database.close();
  });

  const made = (request: Partial<NewJob> = {}) =>
    endedJob(ledger, request, { at: now - 60_000, seconds: 1, cost: 4 });

  /** Waits until a job is as wanted, with whatever it waits for over at once. */
  async function until(id: string, isSo: (job: Job) => boolean): Promise<Job> {
    return vi.waitFor(
      async () => {
        await database.kysely.updateTable("jobs").set({ not_before: 0 }).execute();
        const job = await ledger.find(id);
        if (!job || !isSo(job)) throw new Error("Not yet.");
        return job;
      },
      { timeout: PATIENCE_MS, interval: 100 },
    );
  }

  it("delivers a result that has no message yet", async () => {
    const id = await made();
    outbox.start();
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(surface.showing("result")).toHaveLength(1);
    expect((await ledger.find(id))?.receipt).toEqual({ index: 0 });
    await eventually(() => expect(readdirSync(scratch)).toEqual([]));
  });

  it.each([
    ["that is gone", () => Promise.reject(new NotFound())],
    ["that is a page", async () => ({ stream: Readable.from([Buffer.from("<html>")]), type: "video/mp4" })],
  ])("asks for a file %s for a day, then says so with the way to ask again", async (_what, answer) => {
    download = answer;
    const id = await made();
    outbox.start();
    await until(id, ({ awaits, attempts }) => awaits === "file" && attempts >= 3);
    expect(surface.showing("problem")).toEqual([]);
    now += DAY_MS;
    const job = await until(id, ({ delivery }) => delivery === "undeliverable");
    expect(job).toMatchObject({ state: "completed", cost: 4, awaits: null, error: { code: "result_gone" } });
    const [problem] = surface.showing("problem");
    expect(problem).toMatchObject({ problem: { code: "result_gone" }, charged: 4 });
    expect(problem?.actions?.[0]).toMatchObject({ token: `show:${id}`, label: { key: "action.fetch" } });
    // Asked for again it is tried again, and comes.
    download = whole;
    await ledger.apply(job, { type: "redeliver" });
    expect(await until(id, ({ delivery }) => delivery === "delivered")).toMatchObject({ error: null });
    expect(surface.showing("result")).toHaveLength(1);
  });

  it.each([
    [0, 2],
    [1, 4],
    [8, 512],
    [9, 600],
    [40, 600],
  ])("tries again, after %i tries that failed, in %i seconds", async (attempts, seconds) => {
    download = () => Promise.reject(new NotFound());
    const id = await made();
    await database.kysely.updateTable("jobs").set({ attempts, awaits: "file" }).execute();
    const later = Promise.withResolvers<Job>();
    ledger.onChange(({ job }) => job.notBefore > now && later.resolve(job));
    outbox.start();
    expect(await later.promise).toMatchObject({ id, awaits: "file", notBefore: now + seconds * 1_000 });
  });

  it("waits a month for a key", async () => {
    download = () => Promise.reject(new Unauthorized());
    const id = await made();
    outbox.start();
    await until(id, ({ awaits, attempts }) => awaits === "key" && attempts >= 2);
    now += 29 * DAY_MS;
    await until(id, ({ attempts }) => attempts >= 4);
    expect(surface.showing("problem")).toEqual([]);
    now += 2 * DAY_MS;
    await until(id, ({ delivery }) => delivery === "undeliverable");
    expect(surface.showing("problem")[0]).toMatchObject({ problem: { code: "key_lost" }, charged: 4 });
  });

  /** Holds all downloads back: how many were begun, and what lets them go on. */
  function heldBack() {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const held = { begun: 0, open };
    download = async () => {
      held.begun += 1;
      await gate;
      return whole();
    };
    return held;
  }

  it("begins twenty that are ready at once", async () => {
    const held = heldBack();
    for (let nth = 0; nth < 20; nth += 1) await made();
    outbox.start();
    await vi.waitFor(() => expect(held.begun).toBe(20), PATIENCE_MS);
    held.open();
    await vi.waitFor(() => expect(surface.showing("result")).toHaveLength(20), PATIENCE_MS);
  });

  it("delivers to others while as many of one person's hang as may be under way", async () => {
    const held = heldBack();
    for (let nth = 0; nth < 40; nth += 1) await made();
    outbox.start();
    await vi.waitFor(() => expect(held.begun).toBe(24), PATIENCE_MS);
    download = whole;
    const id = await made({ user: "web:somebody-else" });
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(surface.showing("result")).toHaveLength(1);
    held.open();
    await vi.waitFor(() => expect(surface.showing("result")).toHaveLength(41), PATIENCE_MS);
  });

  it("looks past a whole page of one person's that may not begin, before it waits for anything", async () => {
    const held = heldBack();
    for (let nth = 0; nth < 70; nth += 1) await made();
    await endedJob(ledger, { user: "web:somebody-else" }, { at: now - 1_000, seconds: 1, cost: 4 });
    const looks = vi.spyOn(ledger, "undelivered");
    const pauses = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => pauses.mockRestore());
    outbox.start();
    // All of the first page are one person's, and none of them leaves.
    await vi.waitFor(() => expect(held.begun).toBe(25), PATIENCE_MS);
    const firstPause = pauses.mock.calls.findIndex(([, ms = 0]) => ms > 1_000);
    const pausedAt = pauses.mock.invocationCallOrder[firstPause] ?? Infinity;
    held.open();
    expect(looks.mock.invocationCallOrder[1]).toBeLessThan(pausedAt);
    await vi.waitFor(() => expect(surface.showing("result")).toHaveLength(71), PATIENCE_MS);
  });

  it.each([
    ["chat_closed", new ReelayError("chat_closed"), ["code"]],
    ["not_posted", new ReelayError("not_posted"), ["err"]],
    ["a mistake", new Error("a mistake"), ["err"]],
  ])("logs of a delivery that failed with %s what is needed, and no more", async (_, failure, said) => {
    surface.beforePost = vi.fn<() => Promise<void>>().mockRejectedValueOnce(failure);
    const id = await made();
    outbox.start();
    await until(id, ({ delivery }) => delivery === "delivered");
    const told = warnings.map((line) => Object.keys(JSON.parse(line) as object));
    expect(told.map((names) => names.filter((name) => name === "code" || name === "err"))).toEqual([said]);
  });

  it("waits quietly for room when all places are taken, then goes on with the others", async () => {
    const held = heldBack();
    for (let nth = 0; nth < 60; nth += 1) await made({ user: `web:person-${nth % 3}` });
    outbox.start();
    await vi.waitFor(() => expect(held.begun).toBe(60), PATIENCE_MS);
    const pauses = vi.spyOn(globalThis, "setTimeout");
    // It looks, and finds no room.
    await made({ user: "web:somebody-else" });
    onTestFinished(() => pauses.mockRestore());
    // Long enough for many turns of a loop that does not wait.
    for (let nth = 0; nth < 10; nth += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pauses.mock.calls.filter(([, ms = 0]) => ms < 10)).toEqual([]);
    expect(held.begun).toBe(60);
    held.open();
    await vi.waitFor(() => expect(surface.showing("result")).toHaveLength(61), PATIENCE_MS);
  });

  it("posts side by side no more than fits, whatever hangs, and to others beside it", async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let posting = 0;
    download = large;
    surface.beforePost = async () => {
      posting += 1;
      if (posting === 1) await gate;
    };
    const own = [await made(), await made(), await made()];
    outbox.start();
    await vi.waitFor(() => expect(posting).toBe(1), PATIENCE_MS);
    const id = await made({ user: "web:somebody-else" });
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(posting).toBe(2);
    open();
    for (const one of own) await until(one, ({ delivery }) => delivery === "delivered");
  });

  it("takes a database that cannot be read for no missing key", async () => {
    let asked = 0;
    keyOf = async () => {
      if (++asked === 1) throw new Error("disk I/O error");
    };
    const id = await made();
    outbox.start();
    await until(id, ({ attempts, awaits }) => attempts === 1 && awaits === null);
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(surface.showing("result")).toHaveLength(1);
  });

  it("tells a job anew that was to be told anew while it was being told, and takes that for no mistake", async () => {
    const id = await made();
    let posts = 0;
    surface.beforePost = async () => {
      if (++posts === 1) await ledger.retell(id, [surface.name], async () => ({ retell: true }));
    };
    outbox.start();
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(posts).toBe(2);
    expect(surface.showing("result")).toHaveLength(1);
  });

  it("keeps what was made under a key that is gone, and delivers it when one is there", async () => {
    let isGone = true;
    keyOf = async () => {
      if (isGone) throw new ReelayError("not_connected");
    };
    const id = await made();
    outbox.start();
    await until(id, ({ awaits, attempts }) => awaits === "key" && attempts >= 2);
    isGone = false;
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(surface.showing("result")).toHaveLength(1);
  });

  it("delivers what was fetched before its key went, and says nothing of a balance then", async () => {
    keyOf = async () => {
      if (isGone) throw new ReelayError("not_connected");
    };
    let isGone = false;
    download = async () => {
      isGone = true;
      return whole();
    };
    const id = await made();
    await database.kysely.updateTable("jobs").set({ balance: 96 }).execute();
    outbox.start();
    await until(id, ({ delivery }) => delivery === "delivered");
    expect(surface.showing("result")).toMatchObject([{ cost: 4, balance: null }]);
  });

  describe.each(FOLDER_FAULTS)("while the data folder fails: %s", (fault) => {
    let folder: FailingFolder;
    beforeEach(async () => {
      folder = new FailingFolder(fault);
      sync = folder.sync;
      await folder.hold(database);
    });
    afterEach(() => folder[Symbol.asyncDispose]());

    /** A stop waits for what is to be written; without that, something is wrong. */
    const mended = () => folder.mendOnceWaitedFor(outbox.stop());

    it("notes what its platform takes in no form, and tells it once", async () => {
      let posts = 0;
      const { promise: posted, resolve } = Promise.withResolvers<void>();
      surface.beforePost = async () => {
        posts += 1;
        await folder.fail();
        resolve();
        throw new TakesNoForm();
      };
      const id = await made();
      outbox.start();
      await posted;
      await mended();
      expect(await ledger.find(id)).toMatchObject({ delivery: "undeliverable" });
      expect([posts, lines]).toEqual([1, []]);
    });

    it("notes where it told what is to be told anew", async () => {
      const id = await made();
      const settle = ledger.settle.bind(ledger);
      const { promise: refused, resolve } = Promise.withResolvers<void>();
      vi.spyOn(ledger, "settle").mockImplementation(async (...given) => {
        return settle(...given).catch(async (error: unknown) => {
          await folder.fail();
          resolve();
          throw error;
        });
      });
      surface.beforePost = async () => {
        await ledger.retell(id, [surface.name], async () => ({ retell: true }));
      };
      outbox.start();
      await refused;
      await mended();
      expect(await ledger.find(id)).toMatchObject({ delivery: "due", receipt: { index: 0 } });
      expect(lines).toEqual([]);
    });
  });

  it("reads the ledger no more once it has stopped", async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    let isRead = false;
    vi.spyOn(ledger, "undelivered").mockImplementation(async () => {
      ask();
      await allowed;
      await new Promise((resolve) => setImmediate(resolve));
      isRead = true;
      return [];
    });
    outbox.start();
    await asked;
    const stopped = outbox.stop();
    allow();
    await stopped;
    expect(isRead).toBe(true);
  });
});
