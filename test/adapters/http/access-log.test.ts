import { request } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

interface Line {
  readonly level: string;
  readonly request: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly partner?: string;
  readonly refused?: string;
  readonly brokenOff?: true;
}

const ID = /^[\w-]{36}$/;
const UNKNOWN = "0mwprskck334cb5f05e";

describe("the access log", () => {
  let gateway: TestGateway;
  let sandbox: Awaited<ReturnType<typeof testSandbox>>;
  beforeAll(async () => {
    // Its jobs do not end while one looks.
    sandbox = await testSandbox({ timeScale: 100 });
    gateway = await openGateway(sandbox, { fetch: globalThis.fetch });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  /** The line about a request, once its answer has ended. */
  const lineOf = (id: string | null) =>
    vi.waitFor(() => {
      const found = gateway.lines
        .map((line) => JSON.parse(line) as Line & { msg: string })
        .find(({ request: own, msg }) => own === id && msg === "A request was answered");
      if (!found) throw new Error("There is no such line.");
      return found;
    }, PATIENCE_MS);

  it("has a line for each request, with the id that its answer carries", async () => {
    const acme = await gateway.join("Acme GmbH");
    const answer = await acme.call("/partner");
    const body = await answer.text();
    const id = answer.headers.get("x-request-id");
    expect(id).toMatch(ID);
    const line = await lineOf(id);
    expect(line).toMatchObject({
      level: "info",
      method: "GET",
      route: "/v1/partner",
      status: 200,
      partner: "acme-gmbh",
    });
    expect(line.bytes).toBeGreaterThan(body.length);
    expect(line.ms).toBeGreaterThanOrEqual(0);
    expect(line).not.toHaveProperty("refused");
    expect(line).not.toHaveProperty("brokenOff");
  });

  it("takes over a sane id, and no other", async () => {
    const acme = await gateway.join("ids");
    const idFor = async (given: string) =>
      (await acme.call("/partner", { headers: { "x-request-id": given } })).headers.get("x-request-id");
    expect(await idFor("order-17.b_2")).toBe("order-17.b_2");
    expect(await lineOf("order-17.b_2")).toMatchObject({ route: "/v1/partner" });
    for (const given of ["", "x".repeat(65), 'a" onload', "a b", "../x", "%C3%A4", "\u00e4"])
      expect(await idFor(given)).toMatch(ID);
  });

  it("takes no id that is a known key, holds one or looks like one", async () => {
    const acme = await gateway.join("keys in ids");
    const idFor = async (given: string) =>
      (await acme.call("/partner", { headers: { "x-request-id": given } })).headers.get("x-request-id");
    // Nothing in its shape says so: it is known alone.
    const entered = "correct-horse-battery";
    expect(await idFor(entered)).toBe(entered);
    await lineOf(entered);
    const before = gateway.lines.length;
    await gateway.vault.known.remember(entered);
    const keys = [
      entered,
      `order-${entered}.1`,
      sandbox.keys.ultra,
      acme.token.slice(0, 64),
      "9fQz7Kp2Lx8Rt4Vb1Nw6Yc3M",
    ];
    for (const given of keys) {
      const id = await idFor(given);
      expect(id).toMatch(ID);
      await lineOf(id);
    }
    const text = gateway.lines.slice(before).join();
    for (const given of keys) expect(text).not.toContain(given);
    const uuid = "6f1c1b0e-8a9d-4f0e-9a6c-2f7d5f0b7c11";
    expect(await idFor(uuid)).toBe(uuid);
  });

  it("says why somebody was not let in, as a warning", async () => {
    const answer = await fetch(`${gateway.url}/v1/jobs`, { headers: { authorization: "Bearer rly_nobody" } });
    expect(await lineOf(answer.headers.get("x-request-id"))).toMatchObject({
      level: "warn",
      route: "/v1/jobs",
      status: 401,
      refused: "token_invalid",
    });
    const missing = await fetch(`${gateway.url}/mcp`, { method: "POST" });
    expect(await lineOf(missing.headers.get("x-request-id"))).toMatchObject({
      level: "warn",
      route: "/mcp",
      status: 401,
      refused: "token_missing",
    });
  });

  it("tells the pattern of an address, and nothing that stands in it, or came with it", async () => {
    const acme = await gateway.join("secretive");
    const secrets = [
      "jo-public-name",
      "q-secret-words",
      "h-secret-words",
      "b-secret-words",
      "photo-of-jo.png",
    ];
    const form = new FormData();
    form.set("prompt", "b-secret-words");
    form.set("image", new Blob(["x"]), "photo-of-jo.png");
    const calls = [
      acme.call(`/users/jo-public-name/statements?of=q-secret-words`),
      fetch(`${gateway.url}/v1/media/q-secret-words?sig=q-secret-words`),
      fetch(`${gateway.url}/v1/nowhere/q-secret-words`),
      acme.call(`/jobs/${UNKNOWN}?q-secret-words`, { headers: { "x-other": "h-secret-words" } }),
      fetch(`${gateway.url}/v1/jobs`, {
        method: "POST",
        headers: { authorization: `Bearer ${acme.token}`, "idempotency-key": "h-secret-words" },
        body: form,
      }),
    ];
    const lines = [];
    for (const call of calls) {
      const answer = await call;
      await answer.text();
      lines.push(await lineOf(answer.headers.get("x-request-id")));
    }
    expect(lines.map(({ route }) => route)).toEqual([
      "/v1/users/:username/statements",
      "/v1/media/:link",
      "/v1/*",
      "/v1/jobs/:id",
      "/v1/jobs",
    ]);
    const text = gateway.lines.join();
    for (const secret of [...secrets, acme.token]) expect(text).not.toContain(secret);
  });

  it("says where a client went away before the end", async () => {
    const acme = await gateway.join("follower");
    const job = await acme.accepted({ operation: "image", input: { prompt: "a lighthouse" } });
    const call = request(`${gateway.url}/v1/jobs/${job.id}/events`, {
      headers: { authorization: `Bearer ${acme.token}`, "x-request-id": "leaves-early" },
    });
    call.on("error", () => {});
    call.end();
    const [answer] = (await once(call, "response")) as [NodeJS.ReadableStream];
    await once(answer, "data");
    call.destroy();
    const line = await lineOf("leaves-early");
    expect(line).toMatchObject({ route: "/v1/jobs/:id/events", status: 200, partner: "follower" });
    expect(line.brokenOff ?? false).toBe(true);
  });
});
