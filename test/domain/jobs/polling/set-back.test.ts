import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NotFound } from "../../../../src/infrastructure/api/media-api.ts";
import { video } from "../../../../src/domain/operations/video.ts";
import { aRequest } from "../../../support/job.ts";
import { MINUTE_MS, POLL_MS, PollerHarness, record } from "./harness.ts";

let harness: PollerHarness;

beforeEach(async () => void (harness = await PollerHarness.open()));

afterEach(() => harness[Symbol.asyncDispose]());

describe("the poller, where the machine's clock is set back", () => {
  const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
  const setBack = () => void vi.setSystemTime(Date.now() - YEAR_MS);

  it("goes on reading, and learns how long a job took", async () => {
    const took = vi.spyOn(harness.experience, "took");
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    await harness.pass(MINUTE_MS);
    const before = harness.reads.get("s-1")?.length ?? 0;
    setBack();
    await harness.pass(MINUTE_MS);
    expect(harness.reads.get("s-1")?.length).toBeGreaterThan(before + 3);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "running" });
    const [createdAt, completedAt] = [7_000, 97_000];
    harness.read = async () => record("s-1", { state: "completed", videoUrl: "/v", createdAt, completedAt });
    await harness.pass(MINUTE_MS);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "completed" });
    expect(took).toHaveBeenCalledWith("video", video.size(aRequest().values), 90_000);
  });

  it("asks for what waits for something as often as ever, and no more often", async () => {
    harness.read = async () => Promise.reject(new NotFound());
    await harness.poller.start();
    const { id } = await harness.running("s-1");
    const inTenMinutes = async () => {
      const before = harness.reads.get("s-1")?.length ?? 0;
      await harness.pass(10 * MINUTE_MS);
      return (harness.reads.get("s-1")?.length ?? 0) - before;
    };
    await harness.pass(30 * MINUTE_MS);
    setBack();
    expect(await inTenMinutes()).toBe(1);
    expect(await harness.ledger.find(id)).toMatchObject({ state: "running", awaits: "record" });
  });

  it("reads what it followed before a restart, no sooner than is allowed", async () => {
    await harness.poller.start();
    await harness.running("s-1");
    await harness.pass(MINUTE_MS);
    await harness.poller.stop();
    setBack();
    const before = harness.reads.get("s-1")?.length ?? 0;
    harness.poller = harness.makePoller();
    await harness.poller.start();
    await harness.pass(POLL_MS - 1);
    expect(harness.reads.get("s-1")?.length).toBe(before);
    await harness.pass(MINUTE_MS);
    expect(harness.reads.get("s-1")?.length).toBeGreaterThan(before + 3);
  });
});
