import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  readBalance,
  readStats,
  readTokenUse,
  readUser,
} from "../../../src/infrastructure/api/records/account.ts";
import {
  readEditTemplates,
  readH3Template,
  readH3Templates,
  readImageModels,
  readRawTemplates,
  readRegistered,
} from "../../../src/infrastructure/api/records/catalogues.ts";
import { readEncodedMask } from "../../../src/infrastructure/api/records/mask.ts";
import {
  readImgproJob,
  readJob,
  readJobList,
  readSubmitted,
} from "../../../src/infrastructure/api/records/jobs.ts";
import { readSettings } from "../../../src/infrastructure/api/records/settings.ts";
import { readVideoTemplates } from "../../../src/infrastructure/api/records/video-templates.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Anything at all under the names that the contract uses. */
const anything = fc.dictionary(
  fc.constantFrom(
    ..."job_id id type status progress created_at token_cost result_urls jobs pagination".split(" "),
    ..."tokens subscription_end breakdown templates settings sub_templates total_jobs other".split(" "),
    ..."job template models categories url image_url image_base64_error success message mode".split(" "),
  ),
  fc.jsonValue(),
);

describe("an answer of any shape", () => {
  it("can be read, and stays whole beside what was read", () => {
    fc.assert(
      fc.property(anything, (raw) => {
        for (const read of [readUser, readBalance, readTokenUse, readStats]) expect(read(raw).raw).toBe(raw);
        readJobList(raw);
        readVideoTemplates(raw);
        readSettings(raw);
        readSubmitted(raw);
        for (const read of [readImageModels, readEditTemplates, readH3Templates, readEncodedMask]) read(raw);
        readH3Template(raw, "a");
        readRegistered(raw, "a");
        expect(readRawTemplates(raw).raw).toBe(raw);
        expect(readImgproJob(raw, "a")?.raw ?? raw).toBe(raw);
        expect(readJob(raw)?.raw ?? raw).toBe(raw);
      }),
    );
  });
});

describe("a job record", () => {
  it("is read under either name of its id", () => {
    expect(readJob({ job_id: "a" })?.id).toBe("a");
    expect(readJob({ id: "b" })?.id).toBe("b");
    expect(readJob({ status: "COMPLETED" })).toBeUndefined();
    expect(readJob({ id: "" })).toBeUndefined();
  });

  it.each([
    ["COMPLETED", "completed"],
    ["FAILED", "failed"],
    ["SUBMITTED", "running"],
    ["submitted", "running"],
    ["IN_PROGRESS", "running"],
    ["POLISHING_PIXELS", "running"],
    [undefined, "running"],
    [7, "running"],
  ])("with status %j is %s", (status, state) => {
    expect(readJob({ id: "a", status })?.state).toBe(state);
  });

  it.each([
    ["2026-03-29T02:30:00", Date.UTC(2026, 2, 29, 2, 30)],
    ["2026-03-29T02:30:00.123456", Date.UTC(2026, 2, 29, 2, 30, 0, 123)],
    ["2026-03-29 02:30:00", Date.UTC(2026, 2, 29, 2, 30)],
    ["2026-03-29T02:30:00Z", Date.UTC(2026, 2, 29, 2, 30)],
    ["2026-03-29T02:30:00+02:00", Date.UTC(2026, 2, 29, 0, 30)],
    ["2026-03-29", Date.UTC(2026, 2, 29)],
    ["yesterday", null],
    [null, null],
    [1_774_751_400, null],
  ])("takes the timestamp %j for UTC, wherever it is read", (created_at, ms) => {
    vi.stubEnv("TZ", "Europe/Warsaw");
    expect(readJob({ id: "a", created_at })?.createdAt).toBe(ms);
  });

  it.each([
    [1.22, 1.22],
    ["1.22", 1.22],
    ["1,22", null],
    ["", null],
    [null, null],
    [true, null],
  ])("takes the cost %j for %j", (token_cost, cost) => {
    expect(readJob({ id: "a", token_cost })?.cost).toBe(cost);
  });

  it.each([
    ["The picture\u0000 is\r\ntoo \u001b[31mdark", "The picture is too [31mdark"],
    ["a\u202eb", "a b"],
    ["x".repeat(500), "x".repeat(500)],
    ["x".repeat(5_000), `${"x".repeat(499)}…`],
    [`${"x".repeat(498)}${"😀".repeat(9)}`, `${"x".repeat(498)}…`],
    ["", ""],
    [7, null],
  ])("takes the words %j for %j", (error_message, error) => {
    expect(readJob({ id: "a", error_message })?.error).toBe(error);
  });

  it("keeps the addresses of its results and fields that we do not know", () => {
    const raw = { id: "a", video_url: "/v.mp4", result_urls: ["/v.mp4", null, "/w.mp4"], lucky: 7 };
    expect(readJob(raw)).toMatchObject({
      videoUrl: "/v.mp4",
      imageUrl: null,
      resultUrls: ["/v.mp4", "/w.mp4"],
      raw,
    });
  });
});

describe("the records of single products (section 2.4)", () => {
  it("H3 tells what was reserved, and that the final cost differs", () => {
    const raw = { id: "a", mode: "i2v", pre_token_cost: 9, token_cost: 8.5, billing_adjusted: true };
    expect(readJob(raw)).toMatchObject({ mode: "i2v", preCost: 9, cost: 8.5, billingAdjusted: true });
    expect(readJob({ id: "a" })).toMatchObject({ mode: null, preCost: null, billingAdjusted: false });
  });

  it.each([
    [{ status: "COMPLETED", image_base64_error: "File not ready" }, false],
    [{ status: "COMPLETED", video_base64_error: "File not ready" }, false],
    [{ status: "COMPLETED", image_base64: "", image_base64_error: null }, true],
    [{ status: "COMPLETED" }, true],
    [{ status: "IN_PROGRESS", image_base64_error: "File not ready" }, true],
  ])("%j: the file is ready: %j", (record, ready) => {
    expect(readJob({ id: "a", ...record })?.fileReady).toBe(ready);
  });

  it("reference-to-video v3 says id, not job_id", () => {
    const raw = { id: "a", status: "COMPLETED", video_url: "/api/vid3-ref2v/a/video", audio_enable: true };
    expect(readJob(raw)).toMatchObject({ id: "a", state: "completed", videoUrl: "/api/vid3-ref2v/a/video" });
  });

  it.each([
    [{ job_id: "a", image_url: "/i.png" }, "/i.png"],
    [{ id: "a", url: "/i.png" }, "/i.png"],
    [{ result_urls: ["/i.png", "/j.png"] }, "/i.png"],
    [{ success: true, job: { id: "a", url: "/i.png" } }, "/i.png"],
    [{}, null],
  ])("image pro is read as far as it can be: %j", (raw, imageUrl) => {
    expect(readImgproJob({ ...raw, status: "completed" }, "a")).toMatchObject({
      id: "a",
      state: "completed",
      imageUrl,
    });
  });
});

describe("a job list", () => {
  it("leaves out what is no job, and stands without its pagination", () => {
    const page = readJobList({ jobs: [{ id: "a" }, null, {}, "b"] });
    expect(page.jobs.map(({ id }) => id)).toEqual(["a"]);
    expect(page).toMatchObject({ page: 1, pages: 1, hasNext: false });
  });
});

describe("video templates", () => {
  it("are known by the key that they stand under", () => {
    const templates = {
      zoom: { id: "other", name: "Zoom", is_mature: true, sub_templates: [{ id: "in" }, {}] },
      bad: 3,
    };
    expect(readVideoTemplates({ templates, count: 1 })).toMatchObject([
      { id: "zoom", name: "Zoom", mature: true, category: null, subTemplates: [{ id: "in", name: "in" }] },
    ]);
  });
});

describe("the other catalogues", () => {
  it("tell image models (section 2.9)", () => {
    const models = { Default: { id: "Default", name: "Default", type: "image", has_lora: true }, odd: null };
    expect(readImageModels({ success: true, models })).toEqual([
      {
        id: "Default",
        name: "Default",
        description: null,
        type: "image",
        hasLora: true,
        raw: models.Default,
      },
    ]);
  });

  it("tell image-edit templates (section 2.10)", () => {
    const templates = {
      blend: { name: "Blend", category: "Two", requires_second_image: true, usage_count: 4 },
    };
    expect(readEditTemplates({ templates })).toMatchObject([
      { id: "blend", name: "Blend", category: "Two", requiresSecondImage: true, usageCount: 4 },
    ]);
  });

  it("tell H3 templates in their order, with variants where there are any (section 2.11)", () => {
    const duet = { id: "duet", name: "Duet", prompt: "two", is_mature: true, release_date: "2026-06-01" };
    const solo = { id: "solo", name: "Solo", sub_templates: [{ id: "slow", prompt: "one" }] };
    const read = readH3Templates({ templates: { duet, solo }, categories: ["People"], sort: "name" });
    expect(read).toMatchObject([
      { id: "duet", mature: true, releaseDate: "2026-06-01", subTemplates: [] },
      { id: "solo", mature: false, releaseDate: null, subTemplates: [{ id: "slow", name: "slow" }] },
    ]);
    expect(readH3Template({ template: duet, pro_prompt_lock_enabled: true }, "duet")).toEqual(read[0]);
    expect(readH3Template({}, "duet")).toBeUndefined();
  });

  it("tell raw templates with their categories (section 4.2)", () => {
    const raw = { templates: { zoom: { secret: 1 } }, categories: { Camera: {} }, count: 1 };
    expect(readRawTemplates(raw)).toEqual({ templates: raw.templates, categories: raw.categories, raw });
  });
});

describe("an account", () => {
  it("tells its tokens and its numbers", () => {
    expect(readBalance({ tokens: "12.50", can_generate: true })).toMatchObject({
      tokens: 12.5,
      canGenerate: true,
    });
    expect(
      readStats({ total_jobs: 3, success_rate: 66.7, breakdown: { video: { total: 3, completed: 2 } } }),
    ).toMatchObject({
      total: 3,
      successRate: 66.7,
      breakdown: { video: { total: 3, completed: 2, failed: null } },
    });
  });

  it.each([{}, { breakdown: null }, { breakdown: [] }, { breakdown: { video: 3 } }])(
    "whose statistics are %j does not say how many jobs of a type it has",
    (raw) => expect(readStats(raw).breakdown).toBeNull(),
  );
});
