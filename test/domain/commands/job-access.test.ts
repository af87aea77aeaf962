import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { JobStatus } from "../../../src/seam/access/job-record.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { MediaRef, Values } from "../../../src/seam/values.ts";
import { testCore, type TestCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const ann = person("ann");
const ben = person("ben");
let photo: MediaRef;

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
});

/** Ann, asking for one of her people. */
const tagged = (name: string): Origin => ({ ...ann, tags: { inAppUsername: name } });

const jobs = ({ surface }: TestCore) => surface.intake.jobs;

const submit = (core: TestCore, origin: Origin, values: Values = {}) =>
  jobs(core).submit(origin, "video", { image: photo, prompt: "slow zoom", ...values });

describe("what a program gets where a person gets views", () => {
  it("is the job, and its state whenever it asks", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const asked = await submit(core, { ...ann, tags: { platform: "acme", inAppUsername: "jo" } });
    expect(asked).toMatchObject({ status: "queued", operation: "video", cost: null, problem: null });
    expect(asked.tags).toEqual({ platform: "acme", inAppUsername: "jo" });
    await core.surface.results(1);
    await expect
      .poll(() => jobs(core).find(ann.user, asked.id))
      .toMatchObject({ status: "completed", phase: "completed", cost: expect.any(Number) });
  });

  it("is one job for one request, however often it is asked for", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const origin = { ...ann, request: "web:once" };
    const ids = await Promise.all([submit(core, origin), submit(core, origin)]);
    const later = await submit(core, origin);
    expect(new Set([...ids, later].map(({ id }) => id)).size).toBe(1);
  });

  it("is every mistake at once, one for each field", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const wrong = { image: photo, prompt: "x", duration: 99, orientation: "round", colour: "red" };
    const problems = jobs(core).check("video", wrong);
    expect(Object.fromEntries(problems.map(({ field, code }) => [field, code]))).toEqual({
      colour: "field_unknown",
      duration: "field_out_of_range",
      orientation: "field_invalid",
    });
    await expect(jobs(core).submit(ann, "video", wrong)).rejects.toMatchObject({ name: "ReelayError" });
    expect(jobs(core).check("video", { image: photo, prompt: "x" })).toEqual([]);
  });

  it("is nothing of what is somebody else's", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { id } = await submit(core, ann);
    await expect(jobs(core).find(ben.user, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(jobs(core).remove(ben.user, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await jobs(core).list(ben.user, { limit: 10 })).toEqual([]);
    expect(await jobs(core).usage(ben.user, { by: ["operation"] })).toEqual([]);
    expect(await jobs(core).usage(ann.user, { by: ["operation"] })).toMatchObject([{ jobs: 1 }]);
  });
});

describe("a program's list", () => {
  it("comes in pages, newest first, and can be narrowed", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const made = [await submit(core, tagged("jo")), await submit(core, tagged("jo"))];
    const other = await submit(core, tagged("kim"));
    const list = (query: object) => jobs(core).list(ann.user, { limit: 10, ...query });
    const ids = async (query: object) => (await list(query)).map(({ id }) => id);
    const newestFirst = [other, ...made.toReversed()].map(({ id }) => id);
    expect(await ids({})).toEqual(newestFirst);
    expect(await ids({ limit: 1 })).toEqual(newestFirst.slice(0, 1));
    expect(await ids({ before: newestFirst[0] })).toEqual(newestFirst.slice(1));
    expect(await ids({ username: "kim" })).toEqual([other.id]);
    expect(await ids({ operation: "image" })).toEqual([]);
    expect(await ids({ since: other.createdAt + 1 })).toEqual([]);
    expect(await ids({ until: other.createdAt + 1 })).toEqual(newestFirst);
  });

  it("finds a job under the status that it has, and under no other", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { id } = await submit(core, ann);
    const statuses: readonly JobStatus[] = ["queued", "running", "completed", "failed", "cancelled"];
    await core.surface.results(1);
    await expect.poll(() => jobs(core).find(ann.user, id)).toMatchObject({ status: "completed" });
    const found = await Promise.all(
      statuses.map(async (status) => (await jobs(core).list(ann.user, { limit: 1, status })).length),
    );
    expect(found).toEqual([0, 0, 1, 0, 0]);
  });
});

describe("what a program takes back", () => {
  it("is cancelled in the queue, costs nothing and is told", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { settings: { REELAY_RATE_WINDOW_MS: "60000" } });
    // More than leave in one window (section 8.1): the last one waits.
    const asked = await Promise.all(Array.from({ length: 25 }, () => submit(core, ann)));
    const last = asked.at(-1)?.id ?? "";
    expect(await jobs(core).remove(ann.user, last)).toBe("cancelled");
    await core.surface.until(() =>
      core.surface
        .showing("notice")
        .some(({ text, job }) => text.key === "job.cancelled" && job?.id === last),
    );
    expect(await jobs(core).find(ann.user, last)).toMatchObject({ status: "cancelled", cost: 0 });
  });

  it("is deleted once it has ended, and gone", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { id } = await submit(core, ann);
    await core.surface.results(1);
    await expect.poll(() => jobs(core).find(ann.user, id)).toMatchObject({ status: "completed" });
    expect(await jobs(core).remove(ann.user, id)).toBe("deleted");
    await expect(jobs(core).find(ann.user, id)).rejects.toMatchObject({ code: "not_found" });
  });
});
