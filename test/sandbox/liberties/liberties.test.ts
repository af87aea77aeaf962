import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  drawLiberties,
  type Liberties,
  LIBERTY_NAMES,
  USUAL,
} from "../../../src/sandbox/liberties/liberties.ts";
import { LIBERTIES } from "../../../src/sandbox/liberties/table.ts";
import type { ClipTask } from "../../../src/sandbox/render/task.ts";
import type { SandboxOptions } from "../../../src/sandbox/sandbox.ts";
import { SANDBOX_PAGE, sandboxPage } from "../../../tools/docs/sandbox.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";
import { type Call, caller, ended, read, submit, submitTo, textOf } from "../call.ts";

/** A sandbox in which one thing or two are not as usual, and a call with the pro account's key. */
async function unusual(liberties: Partial<Liberties>, options: Partial<SandboxOptions> = {}) {
  const sandbox = await testSandbox({ liberties: { ...USUAL, ...liberties }, ...options });
  return {
    sandbox,
    call: caller(sandbox.url, sandbox.keys.pro),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  };
}

/** Renders until the job is given up: it is under way however long whatever else comes takes. */
const endless = (_: ClipTask, signal: AbortSignal) =>
  once(signal, "abort").then(() => Promise.reject(signal.reason));

/** A page whatever the widths of its tables' columns, which the formatter sets. */
const rows = (page: string) => page.replaceAll(/ +\|/g, " |").replaceAll(/-{3,}/g, "---");

const jobsOf = async (call: Call) => {
  const { body } = await call("GET", "/jobs?per_page=100");
  return body["jobs"] as { id: string; created_at: string; status: string; type: string }[];
};

const tokensOf = async (call: Call) => Number((await call("GET", "/user/balance")).body["tokens"]);

describe("what a seed draws", () => {
  it("is the same for the same seed, and over many seeds every answer to every question", () => {
    expect(drawLiberties(7)).toEqual(drawLiberties("7"));
    const drawn = Array.from({ length: 400 }, (_, seed) => drawLiberties(seed));
    for (const name of LIBERTY_NAMES)
      expect([name, new Set(drawn.map((one) => one[name])).size]).toEqual([
        name,
        Object.keys(LIBERTIES[name].choices).length,
      ]);
  });

  it("is told to a person by the README, as `npm run docs` writes it", () => {
    expect(rows(readFileSync(SANDBOX_PAGE, "utf8"))).toBe(rows(sandboxPage()));
  });

  it("is told by the control endpoint, without a key", async () => {
    await using sandbox = await testSandbox({ liberties: drawLiberties(3) });
    const response = await fetch(`${sandbox.control}/liberties`);
    expect(await response.json()).toEqual({ liberties: sandbox.liberties });
    expect(sandbox.liberties.map(({ name }) => name)).toEqual(LIBERTY_NAMES);
  });
});

describe("answers that are not as usual", () => {
  it.each(Object.keys(LIBERTIES.keys.choices) as Liberties["keys"][])(
    "keys: %s, and each its own",
    async (keys) => {
      await using world = await unusual({ keys });
      const all = Object.values(world.sandbox.keys);
      expect(new Set(all).size).toBe(all.length);
      for (const key of all) expect(key).toMatch(/^[\x21-\x7e]{16,200}$/);
      expect((await world.call("GET", "/user/info")).status).toBe(200);
    },
  );

  it("times are those of another zone and clock, with other fractions", async () => {
    await using world = await unusual({ zone: "utc-5", clock: "fast", fractions: "none" });
    const before = Date.now();
    const { created_at } = await read(world.call, await submit(world.call));
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    const told = Date.parse(`${created_at}Z`) + 5 * 3_600_000 - 90_000;
    expect(told).toBeGreaterThan(before - 1000);
    expect(told).toBeLessThanOrEqual(Date.now());
  });

  it("ids are capital, the list is the oldest first, times are null and what is null is missing", async () => {
    await using world = await unusual({
      ids: "upper",
      listOrder: "oldest",
      createdAt: "null",
      emptyFields: "missing",
      extraFields: "some",
      amounts: "noisy",
    });
    const id = await submit(world.call);
    expect(id).toMatch(/^[0-9A-F-]{36}$/);
    const jobs = await jobsOf(world.call);
    expect(jobs.at(-1)?.id).toBe(id);
    expect(jobs.at(-1)).not.toHaveProperty("created_at");
    const { body } = await world.call("GET", `/job/${id}`);
    expect(body).toHaveProperty("request_id");
    expect(body).not.toHaveProperty("created_at");
    expect(body["token_cost"]).not.toBe(2.7);
    expect(body["token_cost"]).toBeCloseTo(2.7, 10);
    expect((await world.call("GET", "/user/info")).body["created_at"]).toMatch(/^2/);
  });

  it("a new job is unknown, and not in the list, until it was asked for the third time", async () => {
    await using world = await unusual({ newJob: "third-read", listLag: "third-read" });
    const id = await submit(world.call);
    const seen = async () => [
      (await world.call("GET", `/job/${id}`)).status,
      (await jobsOf(world.call)).some((job) => job.id === id),
    ];
    expect([await seen(), await seen(), await seen()]).toEqual([
      [404, false],
      [404, false],
      [200, true],
    ]);
  });

  it("statuses and progress have other words and numbers until the job has ended", async () => {
    await using world = await unusual({ statuses: "queued", progress: "full" });
    const id = await submit(world.call);
    const { body } = await world.call("GET", `/job/${id}`);
    expect(["QUEUED", "PROCESSING"]).toContain(body["status"]);
    expect(body["progress"]).toBe(100);
    expect((await ended(world.call, id)).status).toBe("COMPLETED");
  });

  it.each([
    ["three", false],
    ["unified", false],
    ["all", true],
  ] as const)("the list shows subscribers %s", async (listed, shows) => {
    await using world = await unusual({ listed });
    const fields = { images: [await testPicture()], prompt: "a fox", size: "1024x1024" };
    const id = await submitTo(world.call, "/generate/imgpro-i2i", fields);
    expect((await jobsOf(world.call)).some((job) => job.id === id)).toBe(shows);
  });

  it.each([
    ["all", 0],
    ["half", 1.35],
    ["none", 2.7],
  ] as const)("of a failed job %s is given back, later", async (refunds, left) => {
    await using world = await unusual(
      { refunds, refundLag: "after-3-s", failedCost: "charged" },
      { failRate: 1 },
    );
    const before = await tokensOf(world.call);
    const id = await submit(world.call);
    const { token_cost } = await ended(world.call, id);
    expect(token_cost).toBe(2.7);
    await expect.poll(async () => before - (await tokensOf(world.call))).toBeCloseTo(left, 6);
  });

  it("a charge is told late where the balance is read, at once where the job is accepted", async () => {
    await using world = await unusual({ balanceLag: "after-20-s" });
    const before = await tokensOf(world.call);
    const { body } = await world.call("POST", "/generate/video", {
      image_base64: await testPicture(),
      prompt: "slow zoom",
    });
    expect(body["remaining_tokens"]).toBeCloseTo(before - 2.7, 6);
    await expect.poll(() => tokensOf(world.call)).toBeCloseTo(before - 2.7, 6);
  });

  it.each([
    [
      { resultHost: "other", resultUrl: "signed" },
      /^http:\/\/127\.0\.0\.1:\d+\/results\/[^/]+\.mp4\?expires=/,
    ],
    [{ resultHost: "redirect" }, /^http:\/\/127\.0\.0\.1:\d+\/results\/[^/]+\.mp4$/],
    [{ resultUrl: "path" }, /^\/results\/[^/]+\.mp4$/],
  ] as const)("results: %j", async (liberties, form) => {
    await using world = await unusual(liberties);
    const { video_url } = await ended(world.call, await submit(world.call));
    expect(video_url).toMatch(form);
    const response = await fetch(new URL(video_url, world.sandbox.url), { headers: { range: "bytes=4-7" } });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe("ftyp");
  });

  it("a result without an extension, a type, a length and ranges", async () => {
    await using world = await unusual({
      resultUrl: "bare",
      resultType: "binary",
      resultLength: "missing",
      ranges: "ignored",
    });
    const { video_url } = await ended(world.call, await submit(world.call));
    expect(video_url).toMatch(/\/results\/[^/.]+$/);
    const response = await fetch(video_url, { headers: { range: "bytes=4-7" } });
    expect(response.status).toBe(200);
    expect((await response.bytes()).length).toBeGreaterThan(100);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-length")).toBeNull();
  });

  it("counts a key that is shown to the other host, and wants it on its own", async () => {
    await using world = await unusual({ resultHost: "other" });
    const { video_url } = await ended(world.call, await submit(world.call));
    await fetch(video_url, { headers: { "x-api-key": world.sandbox.keys.pro } });
    expect((await world.sandbox.ledger()).leaked_keys).toBe(1);

    await using own = await unusual({ resultKey: "needed" });
    const record = await ended(own.call, await submit(own.call));
    expect((await fetch(record.video_url)).status).toBe(401);
    const headers = { "x-api-key": own.sandbox.keys.pro };
    expect((await fetch(record.video_url, { headers })).status).toBe(200);
  });

  it("a file is there some reads after its job has completed", async () => {
    await using world = await unusual({ fileReady: "third-read" });
    const id = await submit(world.call, { result_type: "base64" });
    const { body } = await world.call("GET", `/job/${id}`);
    expect(body).not.toHaveProperty("video_base64");
    await ended(world.call, id);
    expect((await world.call("GET", `/job/${id}`)).body).toHaveProperty("video_base64_error");
    expect(textOf((await world.call("GET", `/job/${id}`)).body["video_base64"])).not.toBe("");
  });

  it("slots, the words of their 429, and when to come again", async () => {
    await using world = await unusual(
      { slots: "one", slotMessage: "many", retryAfter: "date" },
      { render: endless },
    );
    await submit(world.call);
    const response = await fetch(`${world.sandbox.url}/generate/video`, {
      method: "POST",
      headers: { "x-api-key": world.sandbox.keys.pro, "content-type": "application/json" },
      body: JSON.stringify({ image_base64: await testPicture(), prompt: "slow zoom" }),
    });
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      error: "Too many concurrent jobs (1). Please try again later.",
      code: 429,
    });
    expect(response.headers.get("retry-after")).toMatch(/GMT$/);
  });

  it("jobs of one host are unknown to the other", async () => {
    await using world = await unusual({ hostJobs: "unknown" });
    const id = await submit(world.call);
    const other = caller(world.sandbox.fullCatalogUrl, world.sandbox.keys.pro);
    expect((await other("GET", `/job/${id}`)).status).toBe(404);
    expect((await world.call("GET", `/job/${id}`)).status).toBe(200);
    expect((await jobsOf(other)).some((job) => job.id === id)).toBe(false);
  });

  it.each([
    ["trimmed", "a  slow\nzoom"],
    ["collapsed", "a slow zoom"],
    ["null", null],
  ] as const)("the prompt of the settings is %s", async (settingsPrompt, shown) => {
    await using world = await unusual({ settingsPrompt });
    const id = await submit(world.call, { prompt: "  a  slow\nzoom " });
    expect((await world.call("GET", `/jobs/${id}/settings`)).body["settings"]).toMatchObject({
      prompt: shown,
    });
  });

  it("a job that runs is not deleted, or its tokens come back", async () => {
    await using refusing = await unusual({ deleteRunning: "refused" });
    expect((await refusing.call("DELETE", `/jobs/${await submit(refusing.call)}`)).status).toBe(400);

    await using returning = await unusual({ deletedCost: "returned" });
    const before = await tokensOf(returning.call);
    expect((await returning.call("DELETE", `/jobs/${await submit(returning.call)}`)).status).toBe(200);
    expect(await tokensOf(returning.call)).toBe(before);
  });

  it.each([
    [{ imgproAnswer: "bare", imgproRecord: "wrapped" }, "job_id"],
    [{ imgproAnswer: "id", imgproRecord: "pathless" }, "id"],
  ] as const)("image pro: %j", async (liberties, name) => {
    await using world = await unusual(liberties);
    const fields = { images: [await testPicture()], prompt: "a fox", size: "1024x1024" };
    const answer = (await world.call("POST", "/generate/imgpro-i2i", fields)).body;
    expect(answer).not.toHaveProperty("token_cost");
    const id = textOf(answer[name]);
    const image = `${world.sandbox.url}/imgpro-jobs/${id}/image`;
    const headers = { "x-api-key": world.sandbox.keys.pro };
    await expect.poll(async () => (await fetch(image, { headers })).status).toBe(200);
    const { body } = await world.call("GET", `/imgpro-jobs/${id}`);
    expect(body).toHaveProperty(liberties.imgproRecord === "wrapped" ? "job.image_url" : "job_id");
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("seed %i makes a job from its picture to its file", async (seed) => {
    await using world = await unusual(drawLiberties(seed));
    const id = await submit(world.call);
    const status = async () => (await world.call("GET", `/job/${id}`)).body["status"];
    await expect.poll(status).toBe("COMPLETED");
  });
});
