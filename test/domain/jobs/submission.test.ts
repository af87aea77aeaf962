import type { JobTrace } from "../../../src/domain/jobs/trace.ts";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  InsufficientTokens,
  Maintenance,
  Network,
  NoFreeSlot,
  NotFound,
  RateLimited,
  SubscriptionRequired,
  Unsure,
} from "../../../src/infrastructure/api/transport/errors.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { isOpen, type Job } from "../../../src/domain/jobs/job.ts";
import { LeaseLapsed } from "../../../src/domain/jobs/submission/lease.ts";
import { RELEASE_MS } from "../../../src/domain/jobs/submission/submit.ts";
import { testPicture } from "../../support/sandbox.ts";
import { ANSWER, NOW, NUMBERS, SIZE, SubmissionHarness } from "../../support/submission.ts";
import { eventually } from "../../support/eventually.ts";

const HOUR_MS = 3_600_000;

let harness: SubmissionHarness;

beforeEach(async () => void (harness = await SubmissionHarness.open()));

afterEach(() => harness[Symbol.asyncDispose]());

const image = (id: string) => ({ surface: "web", id }) as const;

/**
 * A submission that takes so long from the intent to its last bytes, and as long to write that down; meanwhile the clock is set
 * back by so much.
 */
async function takes(
  ms: number,
  writing = 0,
  setBack = 0,
): Promise<{ readonly job: Job; readonly sent: boolean }> {
  const apply = harness.ledger.apply.bind(harness.ledger);
  vi.spyOn(harness.ledger, "apply").mockImplementation(async (job, event) => {
    const after = await apply(job, event);
    if (event.type === "releasing") vi.advanceTimersByTime(writing);
    return after;
  });
  let sent = false;
  harness.post = async (_leave, { beforeSend, checkpoint }) => {
    // Once is enough.
    harness.post = () => Promise.reject(new ReelayError("moderation_down"));
    await beforeSend?.();
    await checkpoint?.("first");
    vi.advanceTimersByTime(ms);
    vi.setSystemTime(Date.now() - setBack);
    await checkpoint?.("last");
    sent = true;
    throw new Unsure();
  };
  const job = await harness.ask();
  // Nothing else moves the clock.
  let ended = job;
  while (isOpen(ended.state) && ended.state !== "unsure") {
    await harness.turn();
    ended = (await harness.ledger.find(job.id)) ?? ended;
  }
  return { job: ended, sent };
}

describe("a submission", () => {
  it("keeps what was known before, what it cost, and what is left by its answer", async () => {
    const job = await harness.until(await harness.ask(), "running");
    expect(job).toMatchObject({
      before: NUMBERS,
      serviceId: "s-1",
      cost: 2,
      balance: 40,
    });
    expect(harness.noted).toEqual([[40, job.submittedAt]]);
    await eventually(() => expect(harness.experience.price("image", SIZE)).toBe(2));
  });

  it.each([
    [null, 2, 50, 48],
    [null, 2, null, null],
    [null, null, 50, null],
    [0, 2, 50, 0],
  ])("knows what is left where the answer says %s, it cost %s and there was %s", async (...numbers) => {
    const [remaining, cost, before, left] = numbers;
    harness.known = before;
    harness.post = async (leave) => {
      await leave();
      return { ...ANSWER, remaining, cost };
    };
    const job = await harness.until(await harness.ask(), "running");
    expect(job.balance).toBe(left);
    expect(harness.noted).toEqual(left === null ? [] : [[left, job.submittedAt]]);
  });

  it("is waited for by a stop, and kept: its answer, or that it got none", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.post = async (leave) => {
      await leave();
      await promise;
      return ANSWER;
    };
    const lost = Promise.withResolvers<void>();
    const job = await harness.until(await harness.ask(), "submitting");
    harness.post = async (leave) => {
      await leave();
      await lost.promise;
      throw new Unsure();
    };
    const other = await harness.until(
      await harness.ask({ fingerprint: "other", user: "web:other" }),
      "submitting",
    );
    const stopped = harness.submitter.stop();
    resolve();
    lost.resolve();
    await stopped;
    expect(await harness.ledger.find(job.id)).toMatchObject({ state: "running", serviceId: "s-1" });
    expect(await harness.ledger.find(other.id)).toMatchObject({ state: "unsure" });
  });

  it("that waits for a slot waits on where it is stopped, and keeps no stop waiting", async () => {
    await harness.until(await harness.ask(), "running");
    harness.post = async (leave) => {
      await leave();
      harness.seen.push("refused");
      throw new NoFreeSlot();
    };
    const other = await harness.ask({ fingerprint: "other" });
    await eventually(() => expect(harness.seen).not.toEqual([]));
    await harness.until(other, "queued");
    await harness.submitter.stop();
    expect(await harness.ledger.find(other.id)).toMatchObject({ state: "queued" });
  });

  it("of what is under way already waits for that one, and is left for the next start by a stop", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.post = async (leave) => {
      harness.seen.push("sent");
      await leave();
      await promise;
      return ANSWER;
    };
    await harness.until(await harness.ask(), "submitting");
    const twin = await harness.ask();
    // It has been looked at by the time that somebody else's was sent.
    await harness.until(await harness.ask({ fingerprint: "other", user: "web:other" }), "submitting");
    const stopped = harness.submitter.stop();
    resolve();
    await stopped;
    expect(harness.seen).toEqual(["sent", "sent"]);
    expect(await harness.ledger.find(twin.id)).toMatchObject({ state: "queued" });
  });

  it("sends nothing of whoever is blocked", async () => {
    harness.refusalOf = async () => "blocked";
    harness.post = async (leave) => {
      harness.seen.push("sent");
      await leave();
      return ANSWER;
    };
    const job = await harness.until(await harness.ask(), "failed");
    expect(job).toMatchObject({ error: { code: "blocked" }, cost: 0, submittedAt: null });
    expect(harness.seen).toEqual([]);
  });

  it.each([
    ["no free slot", () => new NoFreeSlot(), 0],
    ["the published rate", () => new RateLimited(), 0],
    ["a lapsed lease", () => new LeaseLapsed(), 0],
    ["nobody there", () => new Network(), 500],
  ])("is made again after %s", async (_name, failure, pause) => {
    let tries = 0;
    harness.post = async (leave) => {
      await leave();
      if (++tries === 1) throw failure();
      return ANSWER;
    };
    const postponed: Job[] = [];
    harness.ledger.onChange(({ job, before }) => {
      if (before?.state === "submitting" && job.state === "queued") postponed.push(job);
      if (job.attempts > 0) vi.setSystemTime(NOW + 1_000);
    });
    await harness.until(await harness.ask(), "running");
    expect(postponed).toHaveLength(1);
    expect(postponed[0]?.attempts).toBe(1);
    expect(postponed[0]?.notBefore).toBeGreaterThanOrEqual(pause && NOW + pause);
    expect(postponed[0]?.notBefore).toBeLessThanOrEqual(pause && NOW + 3 * pause);
    expect(tries).toBe(2);
  });

  it("is made again ever more rarely while nobody is there, and at least once a minute", async () => {
    const pauses: number[] = [];
    harness.post = async (leave) => {
      await leave();
      if (pauses.length < 10) throw new Network();
      return ANSWER;
    };
    harness.ledger.onChange(({ job, before }) => {
      if (before?.state !== "submitting" || job.state !== "queued") return;
      pauses.push(job.notBefore - Date.now());
      vi.setSystemTime(job.notBefore);
    });
    await harness.until(await harness.ask(), "running");
    expect(pauses[5]).toBeGreaterThan(pauses[0] ?? 0);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
    expect(pauses.slice(7).every((pause) => pause >= 30_000)).toBe(true);
  });

  it.each([
    ["was lost", () => new Unsure()],
    ["cannot be understood", () => new Error("odd")],
  ])("is in doubt where its answer %s", async (_name, failure) => {
    harness.post = async (leave) => {
      await leave();
      throw failure();
    };
    expect(await harness.until(await harness.ask(), "unsure")).toMatchObject({
      lostAt: expect.any(Number),
      error: null,
    });
  });

  it("has failed, and is not in doubt, where something went wrong before anything left", async () => {
    harness.post = () => Promise.reject(new Error("odd"));
    expect(await harness.until(await harness.ask(), "failed")).toMatchObject({
      error: { code: "internal" },
      cost: 0,
    });
  });

  it("fails with what it was refused for", async () => {
    let refusal: Error;
    harness.post = async (leave) => {
      await leave();
      throw refusal;
    };
    const refused = async (error: Error) => {
      refusal = error;
      return (await harness.until(await harness.ask(), "failed")).error;
    };
    expect(await refused(new Maintenance())).toEqual({
      code: "product_resting",
      params: { operation: "image", instead: "video-audio" },
    });
    // "This cannot be found" would be about what was just asked for.
    expect(await refused(new NotFound({ message: "No such template" }))).toEqual({
      code: "bad_request",
      params: { message: "No such template" },
    });
    expect(await refused(new SubscriptionRequired())).toMatchObject({ code: "subscription_required" });
    expect(await refused(new ReelayError("moderation_down"))).toEqual({
      code: "moderation_down",
      params: {},
    });
    expect(await refused(new InsufficientTokens())).toMatchObject({ code: "insufficient_tokens" });
    await harness.experience.charged("image", SIZE, 60);
    expect(await refused(new InsufficientTokens())).toEqual({
      code: "tokens_missing",
      params: { needed: 60, balance: 50, missing: 10 },
    });
    harness.tellsBalance = false;
    expect(await refused(new InsufficientTokens())).toMatchObject({ code: "shared_tokens_missing" });
  });

  it("says what is missing by a balance that is read then, and waits for it", async () => {
    await harness.experience.charged("image", SIZE, 60);
    harness.known = 100;
    harness.readBalance = async (maxAgeMs) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (maxAgeMs === 0) harness.known = 7;
      return harness.known;
    };
    harness.post = async (leave) => {
      await leave();
      throw new InsufficientTokens();
    };
    expect((await harness.until(await harness.ask(), "failed")).error).toEqual({
      code: "tokens_missing",
      params: { needed: 60, balance: 7, missing: 53 },
    });
  });

  it("sends the pictures that it is for, and says of a refusal what it would have taken", async () => {
    const picture = await testPicture();
    harness.openMedia = async () => Readable.from([Buffer.from(picture, "base64")]);
    harness.post = async (leave, _call, request) => {
      await leave();
      expect(request).toEqual({ target_base64: expect.any(Object), source_base64: expect.any(Object) });
      throw new SubscriptionRequired();
    };
    const values = { target: image("group"), source: image("face") };
    const job = await harness.ask({ operation: "faceswap", values });
    expect((await harness.until(job, "failed")).error).toEqual({
      code: "pro_required",
      params: { operation: "faceswap" },
    });
    const other = await harness.ask({ operation: "faceswap", values, fingerprint: "other" });
    harness.post = () => Promise.reject(new ReelayError("moderation_down"));
    expect((await harness.until(other, "failed")).error).toEqual({ code: "moderation_down", params: {} });
  });

  it.each([
    [0, 500],
    [1, 1_000],
  ])("pauses, where chance is %s, %s ms at first and twice as long each time", async (chance, first) => {
    vi.spyOn(Math, "random").mockReturnValue(chance);
    onTestFinished(() => void vi.restoreAllMocks());
    const pauses: number[] = [];
    harness.ledger.onChange(({ job, before }) => {
      if (before?.state !== "submitting" || job.state !== "queued") return;
      pauses.push(job.notBefore - NOW);
      vi.setSystemTime(job.notBefore);
    });
    harness.post = async (leave) => {
      await leave();
      if (pauses.length === 8) return ANSWER;
      vi.setSystemTime(NOW);
      throw new Network();
    };
    await harness.until(await harness.ask(), "running");
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((factor) => factor * first));
  });

  it.each([
    ["accepted", async () => ANSWER],
    ["refused", () => Promise.reject(new NoFreeSlot())],
    ["abandoned", () => Promise.reject(new ReelayError("moderation_down"))],
  ])("gives its permit back as one that was %s", async (how, answer) => {
    const permit = {
      accepted: vi.fn<() => void>(),
      refused: vi.fn<() => void>(),
      abandoned: vi.fn<() => void>(),
    };
    vi.spyOn(harness.slots, "tryEnter")
      .mockReturnValueOnce({ ...permit, giveBack() {}, takeAgain: async () => true })
      .mockReturnValue(undefined);
    harness.post = async (leave) => {
      await leave();
      return answer();
    };
    await harness.ask();
    await eventually(() =>
      expect(Object.values(permit).some(({ mock }) => mock.calls.length > 0)).toBe(true),
    );
    for (const [name, { mock }] of Object.entries(permit))
      expect(mock.calls).toHaveLength(name === how ? 1 : 0);
  });

  describe("whose last bytes leave", () => {
    it("soon after the intent is not written down again", async () => {
      const { job, sent } = await takes(RELEASE_MS / 2 - 1);
      expect([job.releasedAt, sent]).toEqual([NOW, true]);
    });

    it("in half the time that is relied on, or later, is written down anew", async () => {
      const { job, sent } = await takes(RELEASE_MS / 2, RELEASE_MS - 1);
      expect([job.releasedAt, sent]).toEqual([NOW + RELEASE_MS / 2, true]);
    });

    it("does not where writing that down took as long as is relied on", async () => {
      const { job, sent } = await takes(RELEASE_MS, RELEASE_MS);
      expect([job.state, sent]).toEqual(["failed", false]);
    });

    it.each([
      [RELEASE_MS / 2, true],
      [RELEASE_MS, false],
    ])("is written down anew where the clock is set back meanwhile, in %i ms: %s", async (ms, leaves) => {
      const { job, sent } = await takes(ms, ms === RELEASE_MS ? ms : 0, HOUR_MS);
      expect([job.releasedAt, sent]).toEqual([NOW + ms - HOUR_MS, leaves]);
    });

    it("within what is written in the evidence: five seconds", () => {
      expect(RELEASE_MS).toBe(5_000);
    });
  });

  it("says to whoever watches when it leaves and when its answer is there", async () => {
    const points: unknown[] = [];
    const hear = (message: unknown) => {
      const { point, id } = message as JobTrace;
      points.push({ point, id });
    };
    subscribe("reelay:job", hear);
    onTestFinished(() => void unsubscribe("reelay:job", hear));
    const { id } = await harness.until(await harness.ask(), "running");
    // What the database says already is said aloud once it is on disk.
    await expect
      .poll(() => points)
      .toEqual(["queued", "submitting", "post", "posted", "running"].map((point) => ({ point, id })));
  });
});
