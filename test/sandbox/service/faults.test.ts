import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RATE_LIMIT_MESSAGE } from "../../../src/common/contract.ts";
import { testPicture, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { caller, ended, submit, textOf } from "../call.ts";

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

/** Somebody who waits for an answer, and gives up. */
function impatient() {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    giveUp: () => stop.abort(new Error("enough")),
    /** Long enough for an answer to come on most machines; where it is not, this sees nothing. */
    isSilent: async (answer: Promise<unknown>) =>
      (await Promise.race([answer, sleep(400, "silence")])) === "silence",
  };
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
    const { signal, giveUp, isSilent } = impatient();
    const answer = post(sandbox, signal);
    await expect.poll(() => charged(sandbox)).toBe(count);
    expect(await isSilent(answer)).toBe(true);
    giveUp();
    await expect(answer).rejects.toThrow("enough");
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

/** A job that has completed, and its result's address. */
async function completed(sandbox: TestSandbox) {
  const call = caller(sandbox.url, sandbox.keys.pro);
  const id = await submit(call);
  return { call, id, url: (await ended(call, id)).video_url };
}

describe("faults of reads and files", () => {
  it.each(["401", "402", "403", "404"])(
    "%s in the middle: after as many as are let through",
    async (kind) => {
      await using sandbox = await testSandbox();
      const { call, id } = await completed(sandbox);
      await sandbox.fault({ kind, match: { path: "/api/job" }, skip: 1 });
      const statuses: number[] = [];
      for (let reads = 0; reads < 3; reads += 1) statuses.push((await call("GET", `/job/${id}`)).status);
      expect(statuses).toEqual([200, Number(kind), 200]);
    },
  );

  it("strike one account's requests alone", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "401", match: { account: "pro" }, times: 9 });
    expect((await caller(sandbox.url, sandbox.keys.ultra)("GET", "/jobs")).status).toBe(200);
    expect((await caller(sandbox.url, sandbox.keys.pro)("GET", "/jobs")).status).toBe(401);
  });

  it("accepted-late: the connection is cut, and the job is there some time later", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "accepted-late", match, seconds: 0.2 });
    await expect(post(sandbox)).rejects.toThrow("fetch failed");
    await expect.poll(() => charged(sandbox)).toBe(1);
  });

  it("html and login: a page with 200 in the place of a file", async () => {
    await using sandbox = await testSandbox();
    const { url } = await completed(sandbox);
    await sandbox.fault({ kind: "html", status: 200, match: { path: "/results" } });
    await sandbox.fault({ kind: "login", match: { path: "/results" } });
    for (const page of ["502 Bad Gateway", "Please sign in"]) {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(page);
    }
  });

  it("empty, and half a file whose length is its own or the whole's", async () => {
    await using sandbox = await testSandbox();
    const { url } = await completed(sandbox);
    const file = async () => (await (await fetch(url)).arrayBuffer()).byteLength;
    const whole = await file();
    await sandbox.fault({ kind: "empty", match: { path: "/results" } });
    expect(await file()).toBe(0);
    await sandbox.fault({ kind: "partial", match: { path: "/results" } });
    expect(await file()).toBe(Math.floor(whole / 2));
    await sandbox.fault({ kind: "partial", length: "whole", match: { path: "/results" } });
    await expect(file()).rejects.toThrow("terminated");
    expect(await file()).toBe(whole);
  });

  it("stall and drip: nothing more after half of it; all of it, in pieces", async () => {
    await using sandbox = await testSandbox();
    const { url } = await completed(sandbox);
    const whole = await (await fetch(url)).bytes();
    await sandbox.fault({ kind: "stall", match: { path: "/results" } });
    const { signal, giveUp, isSilent } = impatient();
    const stalled = await fetch(url, { signal });
    expect(stalled.headers.get("content-length")).toBe(String(whole.length));
    const rest = stalled.arrayBuffer();
    expect(await isSilent(rest)).toBe(true);
    giveUp();
    await expect(rest).rejects.toThrow("enough");
    await sandbox.fault({ kind: "drip", seconds: 0.2, match: { path: "/results" } });
    expect(await (await fetch(url)).bytes()).toEqual(whole);
  });

  it("clock, late-list, null, missing, trimmed: what is told is not what is", async () => {
    await using sandbox = await testSandbox();
    const { call, id } = await completed(sandbox);
    const truth = (await call("GET", `/job/${id}`)).body;
    const spoilt = async (kind: string, path: string, fields = {}) => {
      await sandbox.fault({ kind, ...fields });
      return (await call("GET", path)).body;
    };
    const { created_at } = await spoilt("clock", `/job/${id}`, { seconds: 7200 });
    expect(Date.parse(`${textOf(created_at)}Z`) - Date.parse(`${textOf(truth["created_at"])}Z`)).toBe(
      7_200_000,
    );
    const { jobs } = await spoilt("late-list", "/jobs");
    expect(jobs).toHaveLength(6);
    expect(await spoilt("null", `/job/${id}`)).toMatchObject({
      job_id: id,
      status: "COMPLETED",
      created_at: null,
      video_url: null,
    });
    expect(await spoilt("missing", `/job/${id}`)).toEqual({ job_id: id, status: "COMPLETED" });
    const { settings } = await spoilt(
      "trimmed",
      `/jobs/${await submit(call, { prompt: " a very slow zoom" })}/settings`,
    );
    expect(settings).toMatchObject({ prompt: "a very slow " });
  });

  it("errors say when to come again, where they are told to", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "429", retryAfter: "7", match });
    expect((await post(sandbox)).headers.get("retry-after")).toBe("7");
  });
});
