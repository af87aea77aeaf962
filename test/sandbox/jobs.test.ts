import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testSandbox } from "../support/sandbox.ts";
import { caller, ended, submit } from "./call.ts";

/** Of jobs that go on for as long as a test looks at them. */
const ENDLESS = [1_000_000, 1_000_000] as const;

async function outcomes(): Promise<readonly string[]> {
  await using sandbox = await testSandbox({ failRate: 0.5, seed: "coin", timeScale: 0.01 });
  const call = caller(sandbox.url, sandbox.keys.boss);
  const jobs: string[] = [];
  for (let n = 0; n < 12; n += 1) jobs.push(await submit(call));
  return await Promise.all(jobs.map(async (id) => (await ended(call, id, 100)).status));
}

describe("the job record (section 2.4)", () => {
  it("carries the clip as base64 where that was asked for", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job_id = await submit(call, { result_type: "base64" });
    const record = await ended(call, job_id);
    const file = await (await fetch(record.video_url)).arrayBuffer();
    expect(record["video_base64"]).toBe(Buffer.from(file).toString("base64"));
  });

  it("hides other people's jobs: 404", async () => {
    await using sandbox = await testSandbox();
    const job_id = await submit(caller(sandbox.url, sandbox.keys.pro));
    const call = caller(sandbox.url, sandbox.keys.boss);
    for (const [method, path] of [
      ["GET", `/job/${job_id}`],
      ["GET", `/jobs/${job_id}/settings`],
      ["DELETE", `/jobs/${job_id}`],
    ] as const)
      expect((await call(method, path)).status).toBe(404);
  });

  it("ends as FAILED with an error_message and gives the tokens back", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const record = await ended(call, await submit(call));
    expect(record).toMatchObject({ status: "FAILED", token_cost: 0, error_message: expect.any(String) });
    expect((await call("GET", "/user/balance")).body["tokens"]).toBe(1200.25);
    const { body } = await call("GET", "/stats");
    expect(body).toMatchObject({ failed_jobs: 1, completed_jobs: 6, success_rate: 85.7 });
  });

  it("fails about as often as it was told, and the same for the same seed", async () => {
    const first = await outcomes();
    expect(new Set(first)).toEqual(new Set(["COMPLETED", "FAILED"]));
    expect(await outcomes()).toEqual(first);
  });

  it("ends as FAILED when its clip cannot be rendered", async () => {
    await using sandbox = await testSandbox({ render: () => Promise.reject(new Error("no disk")) });
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect(await ended(call, await submit(call))).toMatchObject({
      status: "FAILED",
      error_message: "Rendering failed: no disk",
      token_cost: 0,
    });
  });
});

describe("the result's address", () => {
  it("serves the clip with its length and type, whole and in ranges", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const record = await ended(call, await submit(call));
    const url = record.video_url;
    const whole = await fetch(url);
    expect(whole.headers.get("content-type")).toBe("video/mp4");
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get("content-length")).toBe(String(bytes.length));
    const part = await fetch(url, { headers: { range: "bytes=4-7" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 4-7/${bytes.length}`);
    expect(await part.text()).toBe("ftyp");
  });

  it("answers 404 for results that do not exist or have expired", async () => {
    await using sandbox = await testSandbox();
    const { body } = await caller(sandbox.url, sandbox.keys.pro)("GET", "/jobs");
    const { jobs } = body as { jobs: { video_url: string }[] };
    expect((await fetch(jobs[0]?.video_url ?? "")).status).toBe(404);
    expect((await fetch(new URL("/results/../sandbox.db", sandbox.url))).status).toBe(404);
  });
});

describe("the list, the settings and the statistics (section 4.13)", () => {
  it("begins with past jobs from which prices can be learned", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    const { body } = await call("GET", "/jobs");
    const { jobs } = body as { jobs: { id: string; token_cost: number; status: string }[] };
    const prices = [];
    for (const { id, token_cost } of jobs) {
      const { settings } = (await call("GET", `/jobs/${id}/settings`)).body as {
        settings: Record<string, unknown>;
      };
      expect(settings).toMatchObject({
        prompt: expect.any(String),
        lora_template: null,
        auto_upscale: false,
      });
      prices.push([settings["duration"], token_cost]);
    }
    expect(prices).toEqual([
      [3, 1.35],
      [4, 1.8],
      [5, 2.25],
      [6, 2.7],
      [7, 3.15],
      [8, 3.6],
    ]);
  });

  it("is newest first, in pages, filtered by status", async () => {
    await using sandbox = await testSandbox({ jobSeconds: ENDLESS });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job_id = await submit(call);
    const page = (await call("GET", "/jobs?page=2&per_page=3")).body;
    expect(page["jobs"]).toHaveLength(3);
    expect(page["pagination"]).toEqual({
      page: 2,
      pages: 3,
      per_page: 3,
      total: 7,
      has_next: true,
      has_prev: true,
    });
    const open = async () => (await call("GET", "/jobs?status=IN_PROGRESS")).body["jobs"];
    await expect.poll(open).toMatchObject([{ id: job_id, status: "IN_PROGRESS", video_url: null }]);
    expect((await call("GET", "/jobs")).body["jobs"]).toMatchObject([{ id: job_id }, {}, {}, {}, {}, {}, {}]);
    expect((await call("GET", "/jobs?status=RESTING")).body["jobs"]).toEqual([]);
    expect((await call("GET", "/jobs?page=9")).body["jobs"]).toEqual([]);
  });

  it.each(["per_page=101", "per_page=0", "page=0", "page=x"])("refuses %s with a 400", async (query) => {
    await using sandbox = await testSandbox();
    const { status, body } = await caller(sandbox.url, sandbox.keys.pro)("GET", `/jobs?${query}`);
    expect(status).toBe(400);
    expect(body["error"]).toMatch(/^(per_)?page: must be a whole number from 1/);
  });

  it("shows a sanitized field set to all but boss accounts", async () => {
    await using sandbox = await testSandbox();
    const fields = async (key: string) => {
      const { jobs } = (await caller(sandbox.url, key)("GET", "/jobs")).body as { jobs: object[] };
      return Object.keys(jobs[0] ?? {}).sort();
    };
    const sanitized = [
      "completed_at",
      "created_at",
      "id",
      "started_at",
      "status",
      "token_cost",
      "type",
      "video_url",
    ];
    expect(await fields(sandbox.keys.standard)).toEqual(sanitized);
    expect(await fields(sandbox.keys.ultra)).toEqual(sanitized);
    expect(await fields(sandbox.keys.boss)).toEqual(
      [...sanitized, "error_message", "progress", "request"].sort(),
    );
  });

  it("counts", async () => {
    await using sandbox = await testSandbox({ jobSeconds: ENDLESS });
    const call = caller(sandbox.url, sandbox.keys.pro);
    await submit(call, { lora_template: "confetti", sub_template: "confetti-golden", duration: 4 });
    const { body } = await call("GET", "/stats");
    expect(body).toEqual({
      total_jobs: 7,
      completed_jobs: 6,
      failed_jobs: 0,
      pending_jobs: 1,
      success_rate: 100,
      tokens_remaining: 1198.45,
      subscription_active: true,
      breakdown: { video: { total: 7, completed: 6, failed: 0, pending: 1 } },
    });
  });

  it("keeps a job's template in its settings, with no custom prompt", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job_id = await submit(call, { lora_template: "confetti", sub_template: "confetti-golden" });
    expect((await call("GET", `/jobs/${job_id}/settings`)).body).toEqual({
      success: true,
      settings: {
        prompt: "",
        lora_template: "confetti",
        sub_template: "confetti-golden",
        duration: 6,
        auto_upscale: false,
      },
    });
  });
});

describe("the delete endpoints (section 4.14)", () => {
  it("removes a job and its files, by both paths, also while it runs", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const done = await submit(call);
    await ended(call, done);
    const running = await submit(call);
    for (const [id, path] of [
      [done, `/jobs/${done}`],
      [running, `/jobs/delete/${running}`],
    ] as const) {
      expect(await call("DELETE", path)).toEqual({
        status: 200,
        body: { success: true, message: "Job deleted." },
      });
      expect((await call("GET", `/job/${id}`)).status).toBe(404);
      expect(existsSync(join(sandbox.dir, "files", id))).toBe(false);
      expect((await call("DELETE", path)).status).toBe(404);
    }
    expect((await call("GET", "/user/tokens")).body["total_tokens_used"], "what was charged stays").toBe(5.4);
  });

  it("stops the rendering of a job that is deleted", async () => {
    let stopped = false;
    await using sandbox = await testSandbox({
      render: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(new Error("stopped"));
          });
        }),
    });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job_id = await submit(call);
    await call("DELETE", `/jobs/${job_id}`);
    expect(stopped).toBe(true);
  });

  it("removes all jobs of the account, and nobody else's", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const other = await submit(caller(sandbox.url, sandbox.keys.ultra));
    await submit(call);
    const { body } = await call("DELETE", "/jobs/delete-all");
    expect(body).toEqual({ success: true, message: "7 jobs deleted." });
    expect((await call("GET", "/jobs")).body["jobs"]).toEqual([]);
    expect(readdirSync(join(sandbox.dir, "files"))).toEqual([other]);
  });

  it.each([
    "image-jobs",
    "image-edit-jobs",
    "faceswap-jobs",
    "video-audio-jobs",
    "vendor-h3-jobs",
    "vid3-ref2v-jobs",
    "image-upscale-jobs",
  ])("answers 404 for a video's id under %s", async (kind) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job_id = await submit(call);
    const { status, body } = await call("DELETE", `/${kind}/delete/${job_id}`);
    expect(status).toBe(404);
    expect(body).toEqual({ error: "Job not found.", code: 404 });
  });
});
