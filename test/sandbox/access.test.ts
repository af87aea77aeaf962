import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RATE_LIMIT_MESSAGE, RATE_LIMITS } from "../../src/contract.ts";
import { testSandbox } from "../support/sandbox.ts";
import { caller } from "./call.ts";

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
  it("answers 429 beyond the limit without Retry-After, and lets through again after the window", async () => {
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
    await sleep(3050);
    expect((await call("DELETE", "/jobs/none")).status).toBe(404);
    expect(await sandbox.ledger()).toMatchObject({
      requests: { delete: RATE_LIMITS.delete + 5 },
      rejected: { rate: 4, slot: 0 },
    });
  });
});
