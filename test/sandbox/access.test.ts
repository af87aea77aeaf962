import { afterEach, describe, expect, it, vi } from "vitest";
import { RATE_LIMIT_MESSAGE, RATE_LIMITS } from "../../src/common/contract.ts";
import { testSandbox } from "../support/sandbox.ts";
import { caller } from "./call.ts";

afterEach(() => void vi.useRealTimers());

describe("authentication (section 5)", () => {
  it("answers 401 with the error object, with no key and with a wrong one, GET and POST alike", async () => {
    await using sandbox = await testSandbox();
    for (const key of [undefined, "wrong"])
      for (const [method, path] of [
        ["GET", "/user/info"],
        ["GET", "/jobs"],
        ["GET", "/templates"],
        ["POST", "/generate/video"],
        ["DELETE", "/jobs/delete-all"],
        ["GET", "/nowhere"],
      ] as const)
        expect(await caller(sandbox.url, key)(method, path)).toEqual({
          status: 401,
          body: { error: "Missing or invalid API key.", code: 401 },
        });
  });

  it("answers 404 with the error object for unknown paths", async () => {
    await using sandbox = await testSandbox();
    const { status, body } = await caller(sandbox.url, sandbox.keys.pro)("GET", "/nowhere");
    expect(status).toBe(404);
    expect(body).toEqual({ error: expect.any(String), code: 404 });
    expect((await fetch(new URL("/elsewhere", sandbox.url))).status).toBe(404);
  });
});

describe("users (section 4.1)", () => {
  it("shows the user without internal fields", async () => {
    await using sandbox = await testSandbox();
    const { body } = await caller(sandbox.url, sandbox.keys.pro)("GET", "/user/info");
    expect(Object.keys(body).sort()).toEqual([
      "created_at",
      "email",
      "first_name",
      "id",
      "last_name",
      "subscription_active",
      "subscription_end",
      "tokens",
      "username",
    ]);
    expect(body["created_at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(body["tokens"]).toBe(1200.25);
  });

  it("tells subscribers from others, and those with tokens from those without", async () => {
    await using sandbox = await testSandbox();
    const balance = async (key: string) => (await caller(sandbox.url, key)("GET", "/user/balance")).body;
    expect(await balance(sandbox.keys.standard)).toEqual({
      tokens: 250.5,
      subscription_active: false,
      subscription_end: null,
      can_generate: true,
    });
    expect(await balance(sandbox.keys.empty)).toMatchObject({ tokens: 0, can_generate: false });
    expect(await balance(sandbox.keys.ultra)).toMatchObject({ subscription_active: true });
    const { body } = await caller(sandbox.url, sandbox.keys.boss)("GET", "/user/tokens");
    expect(body).toEqual({ tokens: 100_000, total_tokens_used: 0, subscription_active: true });
  });
});

describe("rates (section 8.1)", () => {
  it.each([
    ["user", "GET", ["/user/info", "/user/balance", "/user/tokens", "/templates", "/lora-templates"]],
    ["user", "GET", ["/image-models", "/image-edit-templates", "/h3-r2v-templates"]],
    ["status", "GET", ["/job/x", "/job/x/status", "/video-audio/job/x", "/jobs", "/stats"]],
    ["status", "GET", ["/jobs/x/settings", "/vendor-h3-jobs/x", "/faceswap/x", "/imgpro-jobs/x"]],
    ["status", "GET", ["/vid3-ref2v-jobs/x", "/vid3-ref2v/job/x", "/vid3-ref2v/x/video"]],
    ["status", "GET", ["/vid3-ref2v-jobs/x/video", "/imgpro-jobs/x/image"]],
    ["video", "POST", ["/generate/video", "/generate"]],
    ["videoAudio", "POST", ["/generate/video-audio", "/video-audio/generate"]],
    ["videoAudio", "POST", ["/generate/vendor-h3", "/vendor-h3/generate"]],
    ["vid3", "POST", ["/generate/vid3-ref2v", "/vid3-ref2v/generate"]],
    ["image", "POST", ["/generate/image", "/generate/image-edit", "/generate/image-inpaint"]],
    ["image", "POST", ["/encode/image-mask", "/generate/imgpro-i2i", "/generate/imgpro-ref2i"]],
    ["faceswap", "POST", ["/generate/faceswap"]],
    ["delete", "DELETE", ["/jobs/x", "/jobs/delete/x", "/jobs/delete-all", "/image-jobs/delete/x"]],
    ["delete", "DELETE", ["/image-edit-jobs/delete/x", "/faceswap-jobs/delete/x"]],
    ["delete", "DELETE", ["/video-audio-jobs/delete/x", "/vendor-h3-jobs/delete/x"]],
    ["delete", "DELETE", ["/vid3-ref2v-jobs/delete/x", "/image-upscale-jobs/delete/x"]],
  ] as const)("counts for %s: %s %j", async (group, method, paths) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    for (const path of paths) await call(method, path);
    expect((await sandbox.ledger()).requests).toEqual({ [group]: paths.length });
  });

  it("answers 429 beyond the limit without Retry-After, and lets through again after the window", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    await using sandbox = await testSandbox({ timeScale: 0.05 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const answers = await Promise.all(
      Array.from({ length: RATE_LIMITS.delete + 3 }, () => call("DELETE", "/jobs/none")),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.body).toEqual({ error: RATE_LIMIT_MESSAGE, code: 429 });
    const other = await fetch(`${sandbox.url}/jobs/none`, {
      method: "DELETE",
      headers: { "x-api-key": sandbox.keys.boss },
    });
    expect(other.status, "another key on the same IP").toBe(429);
    expect(other.headers.get("retry-after")).toBeNull();
    expect((await call("GET", "/jobs")).status, "another group").toBe(200);
    vi.advanceTimersByTime(3050);
    expect((await call("DELETE", "/jobs/none")).status).toBe(404);
    expect(await sandbox.ledger()).toMatchObject({
      requests: { delete: RATE_LIMITS.delete + 5 },
      rejected: { rate: 4, slot: 0 },
    });
  });
});
