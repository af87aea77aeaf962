import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Call, caller, textOf } from "../../sandbox/call.ts";
import { emulated, ended, GENERATING, HOSTS } from "./service.ts";
import { misfits } from "./shapes.ts";
import { answers, ENDPOINTS, JOB_TYPES, LISTED_TYPES } from "./table.ts";

const running = await emulated("running");
const ending = await emulated("ending");
const failing = await emulated("ending", { failRate: 1 });
afterAll(() => Promise.all([running, ending, failing].map(({ sandbox }) => sandbox.stop())));

const list = z.object({
  jobs: z.array(z.looseObject({ id: z.string(), type: z.string(), status: z.string() })),
  pagination: z.object({ page: z.int(), pages: z.int(), per_page: z.int(), total: z.int() }),
});

const listOf = async (call: Call, query = "") => list.parse((await call("GET", `/jobs${query}`)).body);

/** An account with one running job of every kind. */
async function withEverything(name: string, tier: "ultra" | "boss") {
  const { sandbox, body } = running;
  const call = caller(sandbox.url, sandbox.addAccount(name, tier, 1000));
  const ids: string[] = [];
  for (const {
    name: endpoint,
    endpoint: { path },
  } of GENERATING)
    ids.push(textOf((await call("POST", path, body(endpoint))).body["job_id"]));
  return { call, ids };
}

describe("the job list", () => {
  it("shows standard users three types, sanitized, and boss accounts every unified one", async () => {
    const ultra = await withEverything("lists", "ultra");
    const { jobs } = await listOf(ultra.call);
    expect(new Set(jobs.map(({ type }) => type))).toEqual(new Set(LISTED_TYPES));
    for (const job of jobs) expect(misfits(answers.LISTED_JOB, job)).toEqual([]);
    const boss = await withEverything("lists-all", "boss");
    const everything = await listOf(boss.call);
    expect(new Set(everything.jobs.map(({ type }) => type))).toEqual(new Set(JOB_TYPES));
    for (const job of everything.jobs) expect(misfits(answers.LISTED_JOB, job, "allowed")).toEqual([]);
    // What is not listed can still be read by its id.
    const listed = new Set(jobs.map(({ id }) => id));
    const hidden = ultra.ids.filter((id) => !listed.has(id));
    const found = await Promise.all(
      hidden.map(async (id) => (await ultra.call("GET", `/job/${id}`)).body["type"]),
    );
    expect(found).toEqual(expect.arrayContaining(["vendor_h3", "image", "faceswap"]));
  });

  it("comes in pages of 20 unless asked, at most 100", async () => {
    const { sandbox, body } = ending;
    const call = caller(sandbox.url, sandbox.addAccount("pages", "boss", 1000));
    const image = body("generateVideo");
    for (let nth = 0; nth < 25; nth++) await call("POST", "/generate/video", image);
    const { per_page } = ENDPOINTS.jobs.query;
    const first = await call("GET", "/jobs");
    expect(misfits(answers.JOBS, first.body)).toEqual([]);
    expect(misfits(answers.PAGINATION, first.body["pagination"])).toEqual([]);
    expect(first.body["pagination"]).toEqual({
      page: 1,
      pages: 2,
      per_page: per_page.default,
      total: 25,
      has_next: true,
      has_prev: false,
    });
    const second = await listOf(call, "?page=2");
    expect(second.jobs).toHaveLength(5);
    expect(second.pagination).toMatchObject({ page: 2 });
    expect((await listOf(call, `?per_page=${per_page.max}`)).jobs).toHaveLength(25);
    for (const query of [`per_page=${per_page.max + 1}`, "per_page=0", "page=0", "per_page=x"])
      expect((await call("GET", `/jobs?${query}`)).status, query).toBe(400);
  });

  it("can be asked for one status", async () => {
    const call = running.as("pro");
    await call("POST", "/generate/video", running.body("generateVideo"));
    const { jobs } = await listOf(call, "?status=COMPLETED");
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.every(({ status }) => status === "COMPLETED")).toBe(true);
    await expect.poll(async () => (await listOf(call, "?status=IN_PROGRESS")).jobs.length).toBe(1);
    expect((await listOf(call, "?status=SUBMITTED")).jobs).toEqual([]);
    expect((await listOf(call, "?status=FAILED")).jobs).toEqual([]);
  });
});

describe("numbers, settings and the end of everything", () => {
  it("breaks the numbers down by type", async () => {
    const { sandbox } = failing;
    const call = caller(sandbox.url, sandbox.addAccount("numbers", "pro", 50));
    for (const name of ["generateVideo", "generateImage"] as const)
      await call("POST", ENDPOINTS[name].path, failing.body(name));
    const { body: stats } = await call("GET", "/stats");
    expect(misfits(answers.STATS, stats)).toEqual([]);
    const counts = z.record(z.string(), z.record(z.string(), z.int())).parse(stats["breakdown"]);
    for (const count of Object.values(counts)) expect(misfits(answers.BREAKDOWN, count)).toEqual([]);
    expect(counts).toMatchObject({ video: { total: 1, failed: 1 }, image: { total: 1, failed: 1 } });
    expect(stats).toMatchObject({ total_jobs: 2, failed_jobs: 2, completed_jobs: 0, success_rate: 0 });
  });

  it("has settings of video jobs only", async () => {
    for (const host of HOSTS) {
      const call = running.as("boss", host);
      for (const {
        name,
        endpoint: { path },
      } of GENERATING) {
        const id = textOf((await call("POST", path, running.body(name))).body["job_id"]);
        const { status, body } = await call("GET", `/jobs/${id}/settings`);
        expect(status, name).toBe(name === "generateVideo" ? 200 : 404);
        const misfit = [
          ...misfits(answers.SETTINGS_ANSWER, body),
          ...misfits(answers.SETTINGS, body["settings"]),
        ];
        expect(name === "generateVideo" ? misfit : []).toEqual([]);
      }
    }
  });

  it("shows a custom prompt, and none where a template was used", async () => {
    const call = running.as("ultra");
    const { lora_template = "" } = running.material.samples["generateVideo"] ?? {};
    const settings = async (given: object) => {
      const request = running.body("generateVideo", { duration: 4, auto_upscale: true, ...given });
      const id = textOf((await call("POST", "/generate/video", request)).body["job_id"]);
      return (await call("GET", `/jobs/${id}/settings`)).body["settings"];
    };
    expect(await settings({ prompt: "pan left" })).toMatchObject({
      prompt: "pan left",
      lora_template: null,
      duration: 4,
      auto_upscale: true,
    });
    expect(await settings({ lora_template })).toMatchObject({ prompt: "", lora_template });
  });

  it("deletes all of the account's jobs at once, and nobody else's", async () => {
    const { call, ids } = await withEverything("clears", "ultra");
    const other = await withEverything("keeps", "ultra");
    const { status, body } = await call("DELETE", "/jobs/delete-all");
    expect([status, misfits(answers.DELETED, body)]).toEqual([200, []]);
    for (const path of ["/job/", "/vid3-ref2v-jobs/", "/imgpro-jobs/"])
      for (const id of ids) expect((await call("GET", path + id)).status).toBe(404);
    expect((await listOf(call)).jobs).toEqual([]);
    expect((await listOf(other.call)).jobs.length).toBeGreaterThan(0);
  });
});

describe("what a job costs and gives", () => {
  it("H3 reserves tokens, and settles what it cost in the end", async () => {
    const { sandbox, body } = ending;
    const call = caller(sandbox.url, sandbox.addAccount("reserves", "ultra", 100));
    const balance = async () => Number((await call("GET", "/user/balance")).body["tokens"]);
    const submitted = (await call("POST", "/generate/vendor-h3", body("generateH3"))).body;
    expect(submitted["token_cost"]).toBe(submitted["pre_token_cost"]);
    expect(submitted["remaining_tokens"]).toBeCloseTo(100 - Number(submitted["pre_token_cost"]));
    const record = await ended(call, `/job/${textOf(submitted["job_id"])}`);
    expect(record).toMatchObject({ billing_adjusted: true, pre_token_cost: submitted["pre_token_cost"] });
    expect(record["token_cost"]).not.toBe(record["pre_token_cost"]);
    expect(await balance()).toBeCloseTo(100 - Number(record["token_cost"]));
    const own = (await call("GET", `/vendor-h3-jobs/${textOf(submitted["job_id"])}`)).body;
    expect(own).toMatchObject({ billing_adjusted: true, token_cost: record["token_cost"] });
  });

  it("a video carries its file where result_type was base64, and only there", async () => {
    const call = ending.as("ultra");
    const made = async (result_type: string) => {
      const answer = await call("POST", "/generate/video", ending.body("generateVideo", { result_type }));
      expect(answer.body).toMatchObject({ result_type });
      return ended(call, `/job/${textOf(answer.body["job_id"])}`);
    };
    expect(await made("base64")).toHaveProperty("video_base64");
    const byUrl = await made("url");
    expect(byUrl).not.toHaveProperty("video_base64");
    expect(byUrl).toMatchObject({ video_url: expect.any(String), result_urls: [byUrl["video_url"]] });
  });

  it("a file that is not ready is an error in its place, of an image edit and of a video", async () => {
    const call = ending.as("ultra");
    for (const [name, given, kind] of [
      ["generateImageEdit", { width: 64, height: 64 }, "image"],
      ["generateVideo", { result_type: "base64" }, "video"],
    ] as const) {
      const answer = await call("POST", ENDPOINTS[name].path, ending.body(name, given));
      const path = `/job/${textOf(answer.body["job_id"])}`;
      expect(await ended(call, path)).toHaveProperty(`${kind}_base64`);
      await ending.sandbox.fault({ kind: "unready", match: { path: `/api${path}` } });
      const { body: late } = await call("GET", path);
      expect(late).toMatchObject({ status: "COMPLETED", [`${kind}_base64_error`]: expect.any(String) });
      expect(late).not.toHaveProperty(`${kind}_base64`);
    }
  });

  it("a job that fails says why, and stays readable", async () => {
    const call = failing.as("pro");
    for (const {
      name,
      endpoint: { path },
    } of GENERATING.filter(({ name }) => !/Vid3|Imgpro/.test(name))) {
      const id = textOf((await call("POST", path, failing.body(name))).body["job_id"]);
      expect(await ended(call, `/job/${id}`), name).toMatchObject({
        status: "FAILED",
        error_message: expect.stringMatching(/\w/),
      });
    }
  });
});
