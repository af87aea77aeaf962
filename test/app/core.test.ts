import { writeFile } from "node:fs/promises";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { MediaRef } from "../../src/seam/values.ts";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import { sumUsage } from "../../src/domain/usage/usage.ts";
import { toRow } from "../../src/domain/jobs/row.ts";
import { testCore } from "../support/core.ts";
import { aJob } from "../support/job.ts";
import { type FaultRequest, temporaryFolder, testSandbox, tinyClip } from "../support/sandbox.ts";
import { person, testPhoto } from "../support/surface.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let photo: MediaRef;

/** What a job came to, as `reelay:job` tells it. */
interface Step {
  readonly point: TracePoint;
  readonly id: string;
}

beforeAll(async () => void (photo = await testPhoto()));

const zoom = () => ({ image: photo, prompt: "slow zoom" });

describe.concurrent("one photo", () => {
  it("becomes one delivered video, charged once, at the price that was shown before", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { surface } = core;
    const quote = await surface.intake.quote(person("ann"), "video", zoom());
    expect(quote.basis).toBe("learned");
    await surface.intake.command(person("ann"), "video", zoom());
    const [result] = await surface.results(1);

    expect(result).toMatchObject({ cost: quote.tokens, balance: (quote.balance ?? 0) - (quote.tokens ?? 0) });
    expect(surface.messages).toHaveLength(1);
    expect(surface.messages[0]?.files[0]).toEqual(readFileSync(tinyClip()));
    const phases = surface.messages[0]?.views.map((view) =>
      view.kind === "progress" ? view.phase : view.kind,
    );
    expect(phases?.at(0)).toBe("queued");
    expect(phases?.at(-1)).toBe("result");
    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(1);
    expect(submissions[0]).toMatchObject({ prompt: "slow zoom", platform: "web" });
    expect(submissions[0]?.in_app_username).toMatch(/^[0-9a-f]{16}$/);
  });

  it("is not waited for with its price for long, where past prices do not come", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "hang", match: { method: "GET", path: "/api/jobs" }, times: 100 });
    await using core = await testCore(sandbox, { experienceMs: 50 });
    expect(await core.surface.intake.quote(person("ann"), "video", zoom())).toMatchObject({
      basis: "unknown",
    });
  });

  it("counts for the same name at the service and here, which may come with the request", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { intake } = core.surface;
    const tags = { platform: "shop", inAppUsername: "u-7" };
    await intake.command({ ...person("ann"), tags }, "video", zoom());
    await intake.command(person("ann"), "video", { ...zoom(), prompt: "pan left" });
    await core.surface.results(2);
    const { submissions } = await sandbox.ledger();
    const told = submissions.map(({ platform, in_app_username: username }) => ({ platform, username }));
    expect(told).toContainEqual({ platform: "shop", username: "u-7" });
    const counted = await sumUsage(core.database, { by: ["platform", "username"] }, true);
    expect(counted.map(({ platform, username }) => ({ platform, username }))).toEqual(
      told.toSorted((a, b) => String(a.platform).localeCompare(String(b.platform))),
    );
    expect(counted.map(({ jobs, successes }) => [jobs, successes])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it("counts for somebody, too, when a process of the version before wrote the job and died", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { kysely } = core.database;
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.results(1);
    const { key_id: keyId } = await kysely.selectFrom("jobs").select("key_id").executeTakeFirstOrThrow();
    const older = aJob({ values: { ...aJob().values, image: photo, prompt: "pan left" }, keyId });
    const untagged = { platform: null, in_app_username: null, runner: "older" };
    await kysely
      .insertInto("jobs")
      .values({ ...toRow(older), ...untagged })
      .execute();
    await kysely.insertInto("runners").values({ id: "older", pid: 1, beat_at: 0 }).execute();
    // Unless its own look, which it takes now and then, came first.
    await core.adopt();
    await core.surface.results(2);
    const { submissions } = await sandbox.ledger();
    expect(submissions[1]).toMatchObject({ prompt: "pan left", platform: "web" });
    expect(submissions[1]?.in_app_username).toMatch(/^[0-9a-f]{16}$/);
  });

  it("is priced by what is left now, once that was too little", async () => {
    await using sandbox = await testSandbox();
    const key = sandbox.addAccount("poor", "pro", 0);
    await using core = await testCore(sandbox, { sharedKey: key });
    const quote = () => core.surface.intake.quote(person("ann"), "video", zoom());
    expect(await quote()).toMatchObject({ tokens: null, balance: 0 });
    sandbox.topUp(key, 5);
    expect(await quote()).toMatchObject({ tokens: null, balance: 5 });
  });

  it("is refused before anything is sent when the tokens do not suffice", async () => {
    await using sandbox = await testSandbox();
    const poor = sandbox.addAccount("poor", "pro", 1);
    await using rich = await testCore(sandbox);
    await rich.surface.intake.command(person("ann"), "video", zoom());
    await rich.surface.results(1);
    await using core = await testCore(sandbox, { sharedKey: poor, data: rich.config.data });
    await core.surface.intake.command(person("ann"), "video", zoom());
    expect(core.surface.showing("problem")[0]).toMatchObject({
      problem: { code: "tokens_missing" },
      charged: 0,
    });
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("is refused by the service when the price is not known before, and nothing is charged", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { sharedKey: sandbox.keys.empty });
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect(core.surface.showing("problem")[0]).toMatchObject({
      problem: { code: "insufficient_tokens" },
      charged: 0,
    });
  });

  it("is told how much is missing when an earlier job took the tokens", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { sharedKey: sandbox.addAccount("thrifty", "pro", 4) });
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.intake.command(person("ann"), "video", { ...zoom(), prompt: "pan left" });
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    const [problem] = core.surface.showing("problem");
    expect(problem).toMatchObject({
      problem: { code: "tokens_missing", params: { needed: 2.7 } },
      charged: 0,
    });
    expect(problem?.problem.params["missing"]).toBeCloseTo(1.4);
    await core.surface.results(1);
  });

  it("that the service fails to make is told with its reason", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using core = await testCore(sandbox);
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    const [problem] = core.surface.showing("problem");
    expect(problem?.problem.code).toBe("job_failed");
    expect(problem?.problem.params["reason"]).toMatch(/\w/);
  });

  it("that is gone, no photo, or asked for wrongly is a sentence, and nothing is sent", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { surface } = core;
    const noPhoto = join(temporaryFolder(), "notes.jpg");
    await writeFile(noPhoto, "this is no photo");
    const codes = async (values: Parameters<typeof surface.intake.command>[2]) => {
      const before = surface.showing("problem").length;
      await surface.intake.command(person("ann"), "video", values);
      await surface.until(() => surface.showing("problem").length > before);
      return surface.showing("problem").at(-1)?.problem;
    };
    expect(await codes({ prompt: "x" })).toMatchObject({
      code: "field_required",
      params: { field: "image" },
    });
    expect(await codes({ image: photo })).toMatchObject({
      code: "field_required",
      params: { field: "prompt" },
    });
    expect(await codes({ ...zoom(), duration: 9 })).toMatchObject({
      code: "field_out_of_range",
      params: { field: "duration", min: 3, max: 8 },
    });
    expect(await codes({ ...zoom(), steps: 5 })).toMatchObject({
      code: "field_invalid",
      params: { field: "steps" },
    });
    expect(await codes({ ...zoom(), loras: "x" })).toMatchObject({
      code: "field_unknown",
      params: { name: "loras" },
    });
    expect(await codes({ ...zoom(), template: "no-such" })).toMatchObject({ code: "field_unknown_choice" });
    expect(await codes({ ...zoom(), end_image: photo })).toMatchObject({ code: "field_required" });
    expect(await codes({ image: { surface: "web", id: noPhoto }, prompt: "x" })).toMatchObject({
      code: "media_unreadable",
    });
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });
});

describe.concurrent("a lost answer", () => {
  const post = { match: { method: "POST", path: "/api/generate" } } as const;
  const faults: [string, FaultRequest][] = [
    ["reset before it was accepted", { ...post, kind: "reset-before" }],
    ["reset after it was accepted", { ...post, kind: "reset-after" }],
    ["never given, though accepted", { ...post, kind: "hang", accepted: true }],
    ["never given, nor accepted", { ...post, kind: "hang", accepted: false }],
    ["cut in half", { ...post, kind: "truncated" }],
    ["an HTML page, though accepted", { ...post, kind: "html", accepted: true }],
    ["an HTML page, not accepted", { ...post, kind: "html", accepted: false }],
    ["a server error", { ...post, kind: "500" }],
  ];
  it.each(faults)("%s: one video, one charge", async (_name, fault) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { headersTimeoutMs: 300 });
    await sandbox.fault({ ...fault, times: 1 });
    await core.surface.intake.command(person("ann"), "video", zoom());
    const [result] = await core.surface.results(1);
    const { submissions, accounts } = await sandbox.ledger();
    expect(submissions).toHaveLength(1);
    expect(result?.cost).toBe(submissions[0]?.cost);
    expect(accounts.find(({ name }) => name === "ultra")?.used).toBeGreaterThan(0);
  });

  it("of one of several like it: each photo gets its own video", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ ...post, kind: "reset-after", times: 2 });
    for (const name of ["ann", "ben", "cem"])
      await core.surface.intake.command(person(name), "video", zoom());
    await core.surface.results(3);
    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(3);
    const ids = await core.database.kysely.selectFrom("jobs").select("service_id").execute();
    expect(new Set(ids.map((row) => row.service_id))).toEqual(new Set(submissions.map((one) => one.job_id)));
  });
});

describe.concurrent("refusals that pass", () => {
  it.each(["429", "slot429"])(
    "a %s to a submission means to wait, never that the job failed",
    async (kind) => {
      await using sandbox = await testSandbox();
      await using core = await testCore(sandbox);
      await core.surface.intake.command(person("ann"), "video", { ...zoom(), prompt: "first" });
      await sandbox.fault({ kind, match: { method: "POST" }, times: 2 });
      await core.surface.intake.command(person("ann"), "video", zoom());
      await core.surface.results(2);
      expect((await sandbox.ledger()).submissions).toHaveLength(2);
    },
  );

  it.each(["429", "500", "503", "reset-before", "truncated", "html"])(
    "a %s to status reads ends no job",
    async (kind) => {
      await using sandbox = await testSandbox();
      await using core = await testCore(sandbox);
      await core.surface.intake.command(person("ann"), "video", zoom());
      await core.surface.until(() =>
        core.surface.showing("progress").some(({ phase }) => phase === "running"),
      );
      await sandbox.fault({ kind, match: { method: "GET", path: "/api/job" }, times: 5 });
      await core.surface.results(1);
      expect((await sandbox.ledger()).submissions).toHaveLength(1);
    },
  );

  it("maintenance is told at once, and costs nothing", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ kind: "503", match: { method: "POST" }, times: 1 });
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect(core.surface.showing("problem")[0]).toMatchObject({
      problem: { code: "product_resting", params: { operation: "video", instead: "h3-image" } },
      charged: 0,
    });
  });
});

describe.concurrent("a service that is away", () => {
  it("is named as the reason to wait, and the job leaves when it is back", async () => {
    const first = await testSandbox();
    const port = Number(new URL(first.url).port);
    await using core = await testCore(first);
    await first.stop();
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.until(() =>
      core.surface.showing("progress").some(({ phase }) => phase === "unreachable"),
    );
    expect(core.surface.showing("progress")[0]?.actions?.[0]?.label.key).toBe("action.cancel");
    await using second = await testSandbox({ dir: first.dir, port });
    await core.surface.results(1);
    expect((await second.ledger()).submissions).toHaveLength(1);
  });
});

describe.concurrent("many photos", () => {
  it("of many people are all delivered, and no limit is broken", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const people = Array.from({ length: 10 }, (_, index) => `person-${index}`);
    await Promise.all(
      people.flatMap((name) =>
        [1, 2, 3].map((nth) =>
          core.surface.intake.command(person(name), "video", { ...zoom(), prompt: `${name} ${nth}` }),
        ),
      ),
    );
    await core.surface.results(30);
    const { submissions, rejected } = await sandbox.ledger();
    expect(submissions).toHaveLength(30);
    expect(rejected.rate).toBe(0);
  });

  it("of one person delay another's one by one job at the most", async ({ onTestFinished }) => {
    // Few slots and long jobs: however slow the machine is, some still wait when she comes.
    await using sandbox = await testSandbox({ jobSeconds: [50, 50] });
    await using core = await testCore(sandbox, { sharedKey: sandbox.keys.standard });
    const steps: Step[] = [];
    const note = (step: unknown) => void steps.push(step as Step);
    subscribe("reelay:job", note);
    onTestFinished(() => void unsubscribe("reelay:job", note));
    const hogging = Array.from({ length: 25 }, (_, nth) =>
      core.surface.intake.command(person("hog"), "video", { ...zoom(), prompt: `hog ${nth}` }),
    );
    await Promise.all(hogging);
    await vi.waitFor(
      async () => expect((await sandbox.ledger()).submissions.length).toBeGreaterThan(2),
      PATIENCE_MS,
    );
    await core.surface.intake.command(person("ann"), "video", { ...zoom(), prompt: "ann" });
    const jobs = (await core.surface.results(26)).map(({ job }) => job);
    const ann = jobs.find(({ values }) => values["prompt"] === "ann")?.id;
    const came = steps.findIndex(({ point, id }) => point === "queued" && id === ann);
    const left = steps
      .slice(0, came)
      .filter(({ point, id }) => point === "post" && jobs.some((job) => job.id === id));
    expect(left.length, "more than one of them still waited").toBeLessThan(24);
    // What leaves one after the other is accepted in any order: that is for the machine to say.
    const order = steps.filter(({ point, id }) => point === "post" && jobs.some((job) => job.id === id));
    const hers = order.findIndex(({ id }) => id === ann);
    // Those that had left when she came, the one that was leaving, and one.
    expect(hers).toBeGreaterThanOrEqual(left.length);
    expect(hers).toBeLessThanOrEqual(left.length + 2);
  });
});
