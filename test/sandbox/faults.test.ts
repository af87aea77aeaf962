import { describe, expect, it } from "vitest";
import { RATE_LIMIT_MESSAGE } from "../../src/contract.ts";
import { testPicture, testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { caller } from "./call.ts";

const match = { method: "POST", path: "/api/generate" };

async function post(sandbox: TestSandbox, signal?: AbortSignal) {
  return fetch(`${sandbox.url}/generate/video`, {
    method: "POST",
    headers: { "x-api-key": sandbox.keys.pro, "content-type": "application/json" },
    body: JSON.stringify({ image_base64: await testPicture(), prompt: "slow zoom" }),
    ...(signal && { signal }),
  });
}

async function charged(sandbox: TestSandbox): Promise<number> {
  return (await sandbox.ledger()).submissions.length;
}

describe("faults on request", () => {
  it.each([
    ["429", 429, RATE_LIMIT_MESSAGE],
    ["slot429", 429, "All concurrent job slots are in use. Wait for a job to finish."],
    ["500", 500, "Compute provider submission error."],
    ["503", 503, "The service is under maintenance."],
  ])("%s: the error object, nothing accepted, once", async (kind, code, error) => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind, match });
    const response = await post(sandbox);
    expect(response.status).toBe(code);
    expect(await response.json()).toEqual({ error, code });
    expect(await charged(sandbox)).toBe(0);
    expect((await post(sandbox)).status).toBe(200);
  });

  it.each([
    ["reset-before", 0],
    ["reset-after", 1],
  ])("%s: the connection breaks, %i accepted", async (kind, accepted) => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind, match });
    await expect(post(sandbox)).rejects.toThrow("fetch failed");
    expect(await charged(sandbox)).toBe(accepted);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("hang, accepted %s: no answer ever", async (accepted, count) => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "hang", match, accepted });
    await expect(post(sandbox, AbortSignal.timeout(400))).rejects.toThrow("timeout");
    expect(await charged(sandbox)).toBe(count);
  });

  it("truncated: accepted, and the JSON breaks off", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "truncated", match });
    const response = await post(sandbox);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
    expect(await charged(sandbox)).toBe(1);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("html, accepted %s: a gateway's page", async (accepted, count) => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "html", match, accepted });
    const response = await post(sandbox);
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("<!doctype html>");
    expect(await charged(sandbox)).toBe(count);
  });

  it("strikes as often as asked, what matches, on both hosts; a request refused anyway uses none up", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "503", match: { path: "/api/user" }, times: 2 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect((await call("GET", "/jobs")).status).toBe(200);
    expect((await call("GET", "/user/info")).status).toBe(503);
    expect((await caller(sandbox.fullCatalogUrl, sandbox.keys.pro)("GET", "/user/info")).status).toBe(503);
    expect((await call("GET", "/user/info")).status).toBe(200);

    await sandbox.fault({ kind: "truncated", match });
    expect((await call("POST", "/generate", { prompt: "no picture" })).status).toBe(400);
    await expect((await post(sandbox)).json()).rejects.toThrow(SyntaxError);
  });

  it("lists and clears what waits, and refuses what it does not know", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "500", times: 3 });
    const faults = `${sandbox.control}/faults`;
    expect(await (await fetch(faults)).json()).toEqual({
      faults: [{ kind: "500", match: {}, times: 3, accepted: false }],
    });
    await fetch(faults, { method: "DELETE" });
    expect((await post(sandbox)).status).toBe(200);
    await expect(sandbox.fault({ kind: "418" })).rejects.toThrow("kind");
  });
});
