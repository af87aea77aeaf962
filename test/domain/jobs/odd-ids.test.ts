import { expect, it, vi } from "vitest";
import { testCore } from "../../support/core.ts";
import { looseService } from "../../support/loose-service.ts";
import { person } from "../../support/surface.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

it.each([
  ["with another path in it", "../x", "kept"],
  ["with a query in it", "a/b?c", "kept"],
  ["with an anchor in it", "job 7?#1", "deleted"],
  ["that is the word for all jobs", "delete-all", "kept"],
  ["in unicode", "zażółć-🎬", "deleted"],
  ["that is long", "x".repeat(1_500), "deleted"],
  // These two no path can hold: the list of jobs tells of them.
  ["that URLs take away", "..", "kept"],
  ["that is too long for any request", "x".repeat(9_000), "kept"],
])("a job under an id %s is followed to its end, and can be deleted here", async (_, id, became) => {
  await using service = await looseService({ idOf: () => id, ends: "FAILED" });
  await using core = await testCore(service);
  const { intake } = core.surface;
  const ann = person("ann");
  await intake.command(ann, "video-audio", { prompt: "a lighthouse" });
  const ended = async () => {
    const [job] = await intake.jobs.list(ann.user, { limit: 1 });
    expect(job).toMatchObject({ status: "failed", cost: service.price, problem: { code: "job_failed" } });
    return job?.id ?? "";
  };
  const job = await vi.waitFor(ended, { timeout: PATIENCE_MS });
  expect(service.accepted().map((one) => one.id)).toEqual([id]);
  // Not before its person was told.
  await expect.poll(() => intake.jobs.remove(ann.user, job).catch(({ code }) => code)).toBe(became);
});
