import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { join } from "node:path";
import { cancelJob } from "../../../src/domain/commands/cancel-job.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { wake } from "../../../src/domain/jobs/wake.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { type TestCore, testCore } from "../../support/core.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const ann = person("ann");

const problems = ({ surface }: TestCore) =>
  surface.messages
    .flatMap(({ views }) => views)
    .flatMap((view) => (view.kind === "problem" ? [view.problem.code] : []));

describe("what somebody wants of a job that changes at the same moment", () => {
  let database: Database;
  let server: Ledger;
  let other: Ledger;

  beforeEach(async () => {
    database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    server = new Ledger(database, "server");
    other = new Ledger(database, "other");
  });
  afterEach(() => database.close());

  const queued = () => server.add(aRequest({ user: ann.user }), 1);

  it("is no mistake where it was cancelled twice", async () => {
    const job = await queued();
    await Promise.all([cancelJob(server, job), cancelJob(server, job), cancelJob(other, job)]);
    expect(await server.find(job.id)).toMatchObject({ state: "cancelled" });
    await cancelJob(server, job);
  });

  it("comes too late where it has left", async () => {
    const job = await queued();
    await server.apply(job, { type: "submitting", at: 2, balance: null });
    await expect(cancelJob(other, job)).rejects.toMatchObject({ code: "job_started" });
  });

  it("is done to what waits for a key in another process, too", async () => {
    let job: Job = await queued();
    job = await server.apply(job, { type: "submitting", at: 2, balance: null });
    job = await server.apply(job, { type: "accepted", at: 3, serviceId: "s-1", cost: 4, balance: null });
    job = await server.apply(job, { type: "held", awaits: "key", until: 3_600_000 });
    await wake(other, { user: ann.user });
    expect(await server.find(job.id)).toMatchObject({ awaits: "key", notBefore: 0 });
    // It is still the other one's to work on.
    await server.apply(job, { type: "resumed" });
  });
});

describe("a result that is to be shown again", () => {
  it("is so once, however often that is pressed at the same moment", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { intake } = core.surface;
    await intake.command(ann, "image", { prompt: "a lighthouse" });
    const newest = async () => (await intake.jobs.list(ann.user, { limit: 1 }))[0];
    await expect.poll(async () => (await newest())?.status).toBe("completed");
    const id = (await newest())?.id ?? "";
    const told = () => core.database.kysely.selectFrom("jobs").select("delivery").executeTakeFirst();
    await expect.poll(told).toEqual({ delivery: "delivered" });
    await Promise.all(Array.from({ length: 8 }, () => intake.act(ann, `show:${id}`)));
    await expect.poll(told).toEqual({ delivery: "delivered" });
    expect(problems(core)).toEqual([]);
  });
});
