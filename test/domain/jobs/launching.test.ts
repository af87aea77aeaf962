import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { NoFreeSlot, Network, Unsure } from "../../../src/infrastructure/api/transport/errors.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { aRequest } from "../../support/job.ts";
import { ANSWER, NOW, NUMBERS, SubmissionHarness } from "../../support/submission.ts";
import { eventually } from "../../support/eventually.ts";

/** How often the ledger is looked at where nothing is heard, in milliseconds. */
const LOOK_MS = 1_000;

let harness: SubmissionHarness;

beforeEach(async () => void (harness = await SubmissionHarness.open()));

afterEach(() => harness[Symbol.asyncDispose]());

/** Time for many turns of a loop that does not wait: each of them asks the database. */
async function manyTurns(): Promise<void> {
  for (let nth = 0; nth < 30; nth++) await harness.turn();
}

/** From here on nothing that waits goes on by itself. Returns how long the waits are, in milliseconds. */
function holdTimers(): () => readonly number[] {
  const held = vi
    .spyOn(globalThis, "setTimeout")
    .mockImplementation(() => 0 as unknown as ReturnType<typeof setTimeout>);
  onTestFinished(() => held.mockRestore());
  return () => held.mock.calls.map(([, ms = 0]) => ms);
}

describe("whose turn it is", () => {
  it("comes for a job that is asked for just as the one before it was found to be the last", async () => {
    const { ledger } = harness;
    const look = ledger.nextQueued.bind(ledger);
    let late: Promise<Job> | undefined;
    vi.spyOn(ledger, "nextQueued").mockImplementation(async (user) => {
      const next = await look(user);
      if (!next) await (late ??= harness.ask({ fingerprint: "late" }));
      return next;
    });
    await harness.until(await harness.ask(), "running");
    await eventually(() => expect(late).toBeDefined());
    if (late) await harness.until(await late, "running");
  });

  it("comes for a job of another of the service's windows while one waits for its own, in which they leave in turn", async () => {
    const windows = Promise.withResolvers<void>();
    harness.post = async (leave, _call, request) => {
      const { prompt } = request as { readonly prompt: string };
      harness.seen.push(prompt);
      if (prompt === "waits") await windows.promise;
      await leave();
      return { ...ANSWER, id: prompt };
    };
    const picture = { prompt: "waits", model: "Default", width: 64, height: 64, guidance: 1, steps: 1 };
    const film = { prompt: "film", duration: 6 };
    const first = await harness.ask({ values: picture });
    const second = await harness.ask({ fingerprint: "2", values: { ...picture, prompt: "behind" } });
    const other = await harness.ask({ fingerprint: "3", operation: "h3-text", values: film });
    await harness.until(other, "running");
    await manyTurns();
    expect(harness.seen.toSorted()).toEqual(["film", "waits"]);
    windows.resolve();
    for (const job of [first, second]) await harness.until(job, "running");
    expect(harness.seen.at(-1)).toBe("behind");
  });

  it("comes for everybody who waits for a slot of one key, however many windows somebody's jobs count in", async () => {
    const { slots } = harness;
    let free = 0;
    const enter = slots.tryEnter.bind(slots);
    vi.spyOn(slots, "tryEnter").mockImplementation((...asked) => (free-- > 0 ? enter(...asked) : undefined));
    const film = { prompt: "film", duration: 6 };
    const asked = [
      await harness.ask({ fingerprint: "1" }),
      await harness.ask({ fingerprint: "2", operation: "h3-text", values: film }),
      await harness.ask({ fingerprint: "3", user: "web:somebody" }),
    ];
    const [first, second, other] = asked;
    await manyTurns();
    const turns: (string | undefined)[] = [];
    harness.ledger.onChange(({ job }) => void (job.state === "running" && turns.push(job.id)));
    for (const job of asked) {
      free = 1;
      vi.advanceTimersByTime(LOOK_MS);
      await eventually(() => expect(turns).toHaveLength(asked.indexOf(job) + 1));
    }
    expect(turns).toEqual([first?.id, other?.id, second?.id]);
  });

  it("leaves the slot to others while a job waits for its rate, but for one that found it taken once", async () => {
    const { slots } = harness;
    const passed: boolean[] = [];
    const giveBack = (wasPassed: boolean) => void passed.push(wasPassed);
    const takeAgain = async () => passed.length > 1;
    const enter = slots.tryEnter.bind(slots);
    vi.spyOn(slots, "tryEnter").mockImplementation((...asked) => {
      const permit = enter(...asked);
      return permit && { ...permit, giveBack, takeAgain };
    });
    harness.post = async (leave, { onWait }) => {
      onWait?.();
      await leave();
      return { ...ANSWER, id: `${passed.length}` };
    };
    const first = await harness.until(await harness.ask(), "running");
    expect(first).toMatchObject({ serviceId: "2", attempts: 0 });
    expect(passed).toEqual([false, true]);
    await harness.until(await harness.ask({ fingerprint: "next" }), "running");
    expect(passed).toEqual([false, true, false]);
    expect(harness.wrong).toEqual([]);
  });

  it("is looked for no longer once nobody waits", async () => {
    const looks = vi.spyOn(harness.ledger, "nextQueued");
    await harness.until(await harness.ask(), "running");
    await eventually(() => expect(looks).toHaveBeenCalledTimes(2));
    await manyTurns();
    expect(looks).toHaveBeenCalledTimes(2);
  });

  it("has not come a millisecond before a job may leave", async () => {
    const waits: number[] = [];
    const real = globalThis.setTimeout;
    const timers = vi.spyOn(globalThis, "setTimeout").mockImplementation((run: () => void, ms = 0) => {
      waits.push(ms);
      if (ms === 1) vi.setSystemTime(Date.now() + 1);
      return real(run, ms);
    });
    onTestFinished(() => timers.mockRestore());
    harness.ledger.onChange(({ job, before }) => {
      if (before?.state === "submitting" && job.state === "queued") vi.setSystemTime(job.notBefore - 1);
    });
    let tries = 0;
    harness.post = async (leave) => {
      await leave();
      if (++tries === 1) throw new Network();
      return ANSWER;
    };
    await harness.until(await harness.ask(), "running");
    expect(waits.filter((ms) => ms === 1)).toEqual([1]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(LOOK_MS);
  });

  it("waits for a twin without asking again and again, and for no longer than a stop", async () => {
    harness.post = async (leave) => {
      await leave();
      throw new Unsure();
    };
    await harness.until(await harness.ask(), "unsure");
    const waits = holdTimers();
    const looks = vi.spyOn(harness.ledger, "roomFor");
    const twin = await harness.ask();
    while (waits().length === 0) await harness.turn();
    await manyTurns();
    expect(looks).toHaveBeenCalledTimes(1);
    expect(waits()).toEqual([LOOK_MS]);
    await harness.submitter.stop();
    expect(await harness.ledger.find(twin.id)).toMatchObject({ state: "queued" });
  });

  it("waits for a slot until a job of the same key changes, without asking again and again", async () => {
    const { ledger, slots } = harness;
    const first = await harness.until(await harness.ask(), "running");
    vi.spyOn(slots, "tryEnter").mockReturnValueOnce(undefined);
    const waits = holdTimers();
    const looks = vi.spyOn(ledger, "roomFor");
    const next = await harness.ask({ fingerprint: "next" });
    while (looks.mock.calls.length === 0) await harness.turn();
    await manyTurns();
    await harness.ask({ keyId: "key-2", user: "web:somebody" });
    await manyTurns();
    expect(looks.mock.calls.filter(([, keyId]) => keyId === next.keyId)).toHaveLength(1);
    expect(waits()).toContain(LOOK_MS);
    await ledger.apply(first, { type: "completed", at: NOW, result: ["r"], cost: 2 });
    while ((await ledger.find(next.id))?.state !== "running") await manyTurns();
  });

  it("is told to the slots when a job no longer runs, once", async () => {
    const { ledger, slots } = harness;
    const ended = vi.spyOn(slots, "ended");
    const running = await harness.until(await harness.ask(), "running");
    expect(ended).not.toHaveBeenCalled();
    const over = await ledger.apply(running, { type: "completed", at: NOW, result: ["r"], cost: 2 });
    expect(ended.mock.calls).toEqual([[running.keyId]]);
    await ledger.apply(over, { type: "delivering" });
    expect(ended).toHaveBeenCalledTimes(1);
  });
});

describe("a stop", () => {
  it("waits for whoever is just about to take a slot, and nothing leaves after it", async () => {
    const { ledger, submitter } = harness;
    const held = Promise.withResolvers<{ running: number; unsure: number; hasTwin: boolean }>();
    const looks = vi.spyOn(ledger, "roomFor").mockReturnValueOnce(held.promise);
    harness.post = async () => {
      harness.seen.push("made ready");
      throw new ReelayError("internal");
    };
    const job = await harness.ask();
    await eventually(() => expect(looks).toHaveBeenCalled());
    const stopped = submitter.stop().then(() => harness.seen.push("stopped"));
    await new Promise((resolve) => setImmediate(resolve));
    harness.seen.push("slots are known");
    held.resolve({ running: 0, unsure: 0, hasTwin: false });
    await stopped;
    expect(harness.seen[0]).toBe("slots are known");
    expect(harness.seen.at(-1)).toBe("stopped");
    expect(await ledger.find(job.id)).toMatchObject({ state: "queued" });
  });

  it("ends a request that waits for its turn, and leaves its job for the next start", async () => {
    harness.post = (_leave, { signal }) =>
      new Promise((_resolve, reject) => {
        harness.seen.push(`stopped: ${signal?.aborted}`);
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    const job = await harness.ask();
    await eventually(() => expect(harness.seen).toEqual(["stopped: false"]));
    await harness.submitter.stop();
    expect(await harness.ledger.find(job.id)).toMatchObject({ state: "queued", error: null, attempts: 0 });
  });
});

describe("what precedes a submission", () => {
  it("is that the account's numbers are known, where they come soon", async () => {
    let known: typeof NUMBERS | null = null;
    harness.knownNumbers = () => known;
    harness.numbers = () => new Promise((resolve) => setTimeout(() => resolve((known = NUMBERS)), 5));
    expect(await harness.until(await harness.ask(), "running")).toMatchObject({ before: NUMBERS });
  });

  it("is looked for again by itself where it could not be read", async () => {
    const read = vi
      .spyOn(harness.ledger, "nextQueued")
      .mockRejectedValueOnce(new Error("the database is away"));
    onTestFinished(() => read.mockRestore());
    expect(await harness.until(await harness.ask(), "running")).toMatchObject({ state: "running" });
    expect(read.mock.calls.length).toBeGreaterThan(1);
  });

  it("is a second's wait for them at most", async () => {
    const waits = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => waits.mockRestore());
    harness.numbers = () => Promise.withResolvers<typeof NUMBERS>().promise;
    harness.knownNumbers = () => null;
    expect(await harness.until(await harness.ask(), "running")).toMatchObject({ before: null });
    // Nothing else is waited for.
    expect(waits.mock.calls.reduce((all, [, ms = 0]) => all + ms, 0)).toBe(LOOK_MS);
  });

  it("is this process's right to send, before the intent is written", async () => {
    let isHeld = false;
    harness.runners = {
      lease: { isHeld: () => isHeld },
      async renew() {
        await new Promise((resolve) => setImmediate(resolve));
        const [job] = await harness.ledger.inState("queued");
        harness.seen.push(job?.state ?? "none");
        isHeld = true;
      },
    };
    await harness.until(await harness.ask(), "running");
    expect(harness.seen).toEqual(["queued"]);
  });

  it("is no twin that another process was faster with: the job waits, and leaves after it", async () => {
    const other = new Ledger(harness.database, "other");
    harness.refusalOf = async () => {
      harness.refusalOf = async () => undefined;
      const twin = await other.add(aRequest({ operation: "image", fingerprint: "waves" }), NOW);
      await other.apply(twin, { type: "submitting", at: NOW, balance: null });
      return undefined;
    };
    const looks = vi.spyOn(harness.ledger, "roomFor");
    const job = await harness.ask();
    await eventually(async () => expect(await other.inState("submitting")).toHaveLength(1));
    await eventually(() => expect(looks.mock.calls.length).toBeGreaterThan(1));
    expect(await harness.ledger.find(job.id)).toMatchObject({ state: "queued", error: null, attempts: 0 });
    const [twin] = await other.inState("submitting");
    if (!twin) throw new Error("It is there.");
    await other.apply(twin, { type: "failed", at: NOW, error: { code: "internal", params: {} }, cost: 0 });
    await harness.until(job, "running");
  });
});

/** The disk is full, or the like, for one kind of event. */
function refuse(type: string): void {
  const { ledger } = harness;
  const apply = ledger.apply.bind(ledger);
  vi.spyOn(ledger, "apply").mockImplementation(async (job, event) => {
    if (event.type !== type) return apply(job, event);
    throw new Error(`No ${type} is kept.`);
  });
}

describe("an outcome that cannot be kept", () => {
  it.each([
    ["postponed", () => new NoFreeSlot()],
    ["postponed", () => new Network()],
    ["lost", () => new Unsure()],
    ["failed", () => new ReelayError("moderation_down")],
  ])("(%s) is logged, whatever it was", async (type, failure) => {
    refuse(type);
    harness.post = async (leave) => {
      await leave();
      throw failure();
    };
    const job = await harness.ask();
    await eventually(() => expect(harness.wrong).toHaveLength(1));
    expect(harness.wrong[0]).toContain(`No ${type} is kept.`);
    expect(await harness.ledger.find(job.id)).toMatchObject({ state: "submitting" });
  });

  it("is logged and tried again after a while, not at once, where nothing left", async () => {
    refuse("submitting");
    const fail = vi.spyOn(harness.ledger, "find").mockRejectedValue(new Error("disk I/O error"));
    const look = harness.ledger.nextQueued.bind(harness.ledger);
    let looks = 0;
    // A loop that does not wait would let nothing else have its turn.
    vi.spyOn(harness.ledger, "nextQueued").mockImplementation(async (user) =>
      ++looks > 9 ? undefined : look(user),
    );
    holdTimers();
    await harness.ask();
    while (harness.wrong.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let nth = 0; nth < 30; nth++) await new Promise((resolve) => setImmediate(resolve));
    expect(harness.wrong).toHaveLength(1);
    fail.mockRestore();
  });

  it("is no outcome but a price: the job runs, and nothing is wrong with it", async () => {
    vi.spyOn(harness.experience, "charged").mockRejectedValue(new Error("No price is kept."));
    const job = await harness.until(await harness.ask(), "running");
    await harness.submitter.stop();
    expect(await harness.ledger.find(job.id)).toMatchObject({ state: "running", serviceId: "s-1" });
    expect(harness.wrong).toEqual([]);
  });
});
