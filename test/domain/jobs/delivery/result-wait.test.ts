import { describe, expect, it } from "vitest";
import type { Accounts } from "../../../../src/domain/accounts/accounts.ts";
import {
  Network,
  NotFound,
  RateLimited,
  ServiceFailure,
  Unauthorized,
} from "../../../../src/infrastructure/api/transport/errors.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { awaitedAfter, givenUp, readAgain } from "../../../../src/domain/jobs/delivery/result-wait.ts";
import { FILE_WAIT_MS, KEY_WAIT_MS } from "../../../../src/domain/jobs/waits.ts";
import { aJob } from "../../../support/job.ts";

const unchecked = new ReelayError("result_unchecked");
const late = new ReelayError("result_late");

describe("a delivery that failed", () => {
  it.each([
    ["key", new Unauthorized()],
    ["key", new ReelayError("not_connected")],
    ["check", unchecked],
    ["file", new NotFound()],
    ["file", new Network()],
    ["file", late],
    [undefined, new RateLimited()],
    [undefined, new ReelayError("undeliverable")],
    [undefined, new Error("the platform is away")],
  ])("waits for %s after %o", (awaits, failure) => {
    expect(awaitedAfter(failure)).toBe(awaits);
  });

  it.each([
    ["result_gone", late, FILE_WAIT_MS],
    ["result_unchecked", unchecked, FILE_WAIT_MS],
    ["key_lost", new Unauthorized(), KEY_WAIT_MS],
  ])("is given up as %s once that was waited for long enough", (code, failure, wait) => {
    const job = aJob({ endedAt: 1_000 });
    expect(givenUp(job, failure, 1_000 + wait)).toBeUndefined();
    expect(givenUp(job, failure, 1_001 + wait)).toBe(code);
    expect(givenUp({ ...job, endedAt: null }, failure, 1_001 + wait)).toBeUndefined();
  });

  it("is never given up for what its platform does", () => {
    expect(givenUp(aJob({ endedAt: 1 }), new Error("away"), 9 * KEY_WAIT_MS)).toBeUndefined();
  });
});

/** An account whose service says this of the job. */
const saying = (job: () => Promise<unknown>) =>
  ({
    of: async () => ({ keyId: "key-2", api: () => ({ job }) }),
    poolFor: async () => undefined,
  }) as unknown as Accounts;

const says = (record: object) =>
  saying(async () => ({ resultUrls: [], videoUrl: null, imageUrl: null, ...record }));
const fails = (error: Error) =>
  saying(async () => {
    throw error;
  });

describe("where the files of a job are", () => {
  const done = aJob({ state: "completed", serviceId: "s", result: ["/then"], keyId: "key-2" });
  const waiting = { ...done, awaits: "file" } as const;

  it("is not asked anew as long as they come", async () => {
    expect(await readAgain(done, fails(new Error("Nobody asks.")))).toBe(done);
  });

  it("is asked anew once they do not come, or were not told", async () => {
    const now = says({ videoUrl: "/now" });
    expect(await readAgain(waiting, now)).toEqual({ ...waiting, result: ["/now"] });
    expect(await readAgain({ ...done, result: [] }, now)).toMatchObject({ result: ["/now"] });
    expect(await readAgain({ ...done, result: null }, now)).toMatchObject({ result: ["/now"] });
    const twoKeys = says({ resultUrls: ["/one", "/two"] });
    expect(await readAgain({ ...waiting, keyId: "key-2" }, twoKeys)).toMatchObject({
      result: ["/one", "/two"],
      keyId: "key-2",
    });
  });

  it("stays where it was said to be while the service says nothing else", async () => {
    expect(await readAgain(waiting, says({}))).toEqual(waiting);
    expect(await readAgain(waiting, fails(new ServiceFailure()))).toEqual(waiting);
    expect(await readAgain(waiting, fails(new NotFound()))).toEqual(waiting);
  });

  it("is not known where it was never said: they are late", async () => {
    const nowhere = { ...done, result: [] };
    await expect(readAgain(nowhere, says({}))).rejects.toMatchObject({ code: "result_late" });
    await expect(readAgain(nowhere, fails(new NotFound()))).rejects.toMatchObject({ code: "result_late" });
    await expect(readAgain({ ...done, result: null }, says({}))).rejects.toMatchObject({
      code: "result_late",
    });
  });

  it("is not known without a key, nor where something else fails", async () => {
    await expect(readAgain(waiting, fails(new Unauthorized()))).rejects.toBeInstanceOf(Unauthorized);
    await expect(readAgain(waiting, fails(new Error("disk I/O error")))).rejects.toThrow("disk I/O error");
  });
});
