import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../src/common/contract.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "./call.ts";

const PATH = "/generate/faceswap";

let target: string;
let source: string;
beforeAll(async () => {
  target = await testPicture();
  source = await testPicture(200, 200);
});

afterEach(() => void vi.useRealTimers());

describe("POST /generate/faceswap (section 4.10)", () => {
  it("answers without a message, and has a record of its own beside the unified one", async () => {
    // It runs for as long as it is looked at.
    vi.useFakeTimers({ toFake: ["Date"] });
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const { body } = await call("POST", PATH, { target_base64: target, source_base64: source });
    expect(body).toEqual({
      job_id: expect.any(String),
      status: "submitted",
      token_cost: 1.5,
      remaining_tokens: 1198.75,
      status_url: expect.stringContaining("http"),
    });
    const id = textOf(body["job_id"]);
    const choices = { seed: expect.any(Number), steps: expect.any(Number), auto_caption: false };
    expect((await call("GET", `/faceswap/${id}`)).body).toEqual({
      job_id: id,
      status: expect.stringMatching(/^(SUBMITTED|IN_PROGRESS)$/),
      token_cost: 1.5,
      ...choices,
      error_message: null,
      created_at: expect.any(String),
      completed_at: null,
    });

    vi.useRealTimers();
    const record = await endedAt(call, `/faceswap/${id}`);
    const picture = {
      image_url: expect.stringMatching(/\.jpg$/),
      image_base64: expect.stringMatching(/^data:image\/jpeg;base64,/),
    };
    expect(record).toMatchObject({ status: "COMPLETED", ...choices, ...picture });
    expect((await fetch(textOf(record["image_url"]))).status).toBe(200);
    const unified = (await call("GET", `/job/${id}`)).body;
    expect(unified).toMatchObject({ job_id: id, type: "faceswap", ...choices, ...picture });
    const { jobs } = (await call("GET", "/jobs")).body;
    expect(JSON.stringify(jobs), "not listed for standard users").not.toContain(id);
  });

  it("takes both aliases, and an alias only in the place of its field", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.boss);
    const id = await submitTo(call, PATH, { body_base64: target, face_base64: source });
    expect((await endedAt(call, `/faceswap/${id}`))["status"]).toBe("COMPLETED");
    const both = { target_base64: target, body_base64: target, source_base64: source };
    expect((await call("POST", PATH, both)).body["error"]).toBe("body_base64: unknown field");
  });

  it("needs a Pro subscription: 403 that names it", async () => {
    await using sandbox = await testSandbox();
    const fields = { target_base64: target, source_base64: source };
    expect(await caller(sandbox.url, sandbox.keys.standard)("POST", PATH, fields)).toEqual({
      status: 403,
      body: { error: "Faceswap: an active Pro subscription is required.", code: 403 },
    });
    for (const key of [sandbox.keys.pro, sandbox.keys.ultra, sandbox.keys.boss])
      expect((await caller(sandbox.url, key)("POST", PATH, fields)).status).toBe(200);
  });

  it.each([
    [{ target_base64: undefined }, /^target_base64: is required/],
    [{ source_base64: undefined }, /^source_base64: is required/],
    [{ target_base64: "aGVsbG8h" }, /^target_base64: cannot be decoded/],
    [{ source_base64: "not base64!" }, /^source_base64: must be base64/],
    [{ seed: 1 }, /^seed: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const request = { target_base64: target, source_base64: source, ...fields };
    expect(await caller(sandbox.url, sandbox.keys.pro)("POST", PATH, request)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });

  it("shows why it failed, in both records", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { target_base64: target, source_base64: source });
    const failed = { status: "FAILED", token_cost: 0, error_message: expect.any(String) };
    expect(await endedAt(call, `/faceswap/${id}`)).toMatchObject(failed);
    expect((await call("GET", `/job/${id}`)).body).toMatchObject(failed);
  });

  it("has 20 a window of its own, and its own delete path (sections 8.1 and 4.14)", async () => {
    await using sandbox = await testSandbox({ timeScale: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { target_base64: target, source_base64: source });
    for (let sent = 1; sent < RATE_LIMITS.faceswap; sent += 1) await call("POST", PATH, {});
    expect((await call("POST", PATH, {})).status).toBe(429);
    expect((await call("POST", "/generate/image", {})).status, "another group").toBe(400);
    const other = await submitTo(call, "/generate/image", { prompt: "a lake" });
    expect((await call("DELETE", `/faceswap-jobs/delete/${other}`)).status).toBe(404);
    expect((await call("DELETE", `/faceswap-jobs/delete/${id}`)).status).toBe(200);
    expect((await call("GET", `/faceswap/${id}`)).status).toBe(404);
  });

  it("is read by its owner only, and no other job is read at its path", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { target_base64: target, source_base64: source });
    expect((await caller(sandbox.url, sandbox.keys.ultra)("GET", `/faceswap/${id}`)).status).toBe(404);
    expect((await caller(sandbox.url, undefined)("GET", `/faceswap/${id}`)).status).toBe(401);
    const other = await submitTo(call, "/generate/image", { prompt: "a lake" });
    expect((await call("GET", `/faceswap/${other}`)).status).toBe(404);
  });
});
