import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readBalance, readStats, readTokenUse, readUser } from "../../src/api/records/account.ts";
import { readJob, readJobList, readSubmitted } from "../../src/api/records/jobs.ts";
import { readSettings } from "../../src/api/records/settings.ts";
import { readVideoTemplates } from "../../src/api/records/video-templates.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Anything at all under the names that the contract uses. */
const anything = fc.dictionary(
  fc.constantFrom(
    ..."job_id id type status progress created_at token_cost result_urls jobs pagination".split(" "),
    ..."tokens subscription_end breakdown templates settings sub_templates total_jobs other".split(" "),
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
});
