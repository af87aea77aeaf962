import { describe, expect, it } from "vitest";
import type { ProblemBody } from "../../../../adapters/http/resources/problem.ts";
import { openGateway } from "../../../support/gateway.ts";
import { testSandbox } from "../../../support/sandbox.ts";

const problemIn = async (answer: Response) => (await answer.json()) as ProblemBody;

describe("who may come in", () => {
  it("is whoever has a token that somebody made, and nobody else", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    expect((await acme.call("/partner")).status).toBe(200);
    const wrong = [undefined, "Bearer", "Basic abc", `Bearer ${acme.token}x`, "Bearer rly_nobody_00000000_x"];
    for (const authorization of wrong) {
      const answer = await fetch(`${gateway.url}/v1/partner`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="reelay"');
      expect((await problemIn(answer)).code).toMatch(/^token_(missing|invalid)$/);
    }
  });

  it("is nobody any more whose token was revoked, or who was removed", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme");
    const other = await gateway.partners.addToken("acme", { scopes: ["jobs:read"] });
    const status = async (token: string) =>
      (await fetch(`${gateway.url}/v1/partner`, { headers: { authorization: `Bearer ${token}` } })).status;
    await gateway.partners.revokeToken("acme", other.info.id);
    expect([await status(acme.token), await status(other.token)]).toEqual([200, 401]);
    await gateway.partners.remove("acme");
    expect(await status(acme.token)).toBe(401);
  });

  it("may do what the token's scopes say", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const reader = await gateway.join("reader", { scopes: ["jobs:read"] });
    expect((await reader.call("/jobs")).status).toBe(200);
    const refused = await reader.submit({ operation: "image", input: { prompt: "a cat" } });
    expect(refused.status).toBe(403);
    expect(await problemIn(refused)).toMatchObject({ code: "scope_missing" });
    expect((await reader.call("/usage")).status).toBe(403);
    expect((await reader.call("/webhooks")).status).toBe(403);
  });

  it("may ask as often in a minute as the operator lets them, and is told how often that still is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const busy = await gateway.join("busy", { requestsPerMinute: 3 });
    const calm = await gateway.join("calm");
    const answers = [];
    for (let nth = 0; nth < 4; nth++) answers.push(await busy.call("/partner"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => /;r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])).toEqual([
      "2",
      "1",
      "0",
      "0",
    ]);
    const last = answers.at(-1);
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await calm.call("/partner")).status).toBe(200);
  });

  it("sees of what other partners have nothing at all", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const [acme, other] = [await gateway.join("acme"), await gateway.join("other")];
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a cat" } });
    await acme.ended(id);
    for (const path of [`/jobs/${id}`, `/jobs/${id}/media`, `/jobs/${id}/events`])
      expect((await other.call(path)).status).toBe(404);
    expect((await other.call(`/jobs/${id}`, { method: "DELETE" })).status).toBe(404);
    expect(await (await other.call("/jobs")).json()).toMatchObject({ data: [] });
    expect(await (await other.call("/usage")).json()).toMatchObject({ data: [] });
    expect((await acme.call(`/jobs/${id}`)).status).toBe(200);
  });

  it("leaves neither tokens nor what was sent in the log", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const match = { method: "POST", path: "/api/generate" };
    await sandbox.fault({ kind: "slot429", match });
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a very private cat" } });
    await fetch(`${gateway.url}/v1/partner`, {
      headers: { authorization: "Bearer rly_acme_00000000_secret" },
    });
    await acme.ended(id);
    const log = gateway.lines.join("");
    // Something was logged of this very job.
    expect(log).toContain(id);
    expect(log).not.toContain(acme.token);
    expect(log).not.toContain("private cat");
    expect(log).not.toContain("secret");
  });
});

describe("an address where there is nothing", () => {
  it("says so, and what an address takes that is called another way", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    expect(await problemIn(await acme.call("/nothing"))).toMatchObject({
      code: "route_unknown",
      status: 404,
    });
    const put = await acme.call("/jobs/abc", { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, DELETE"]);
  });

  it("is none where HEAD asks for what GET reads: it is answered with the same headers, and nothing more", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a cat" } });
    await acme.ended(id);
    for (const path of [
      "/jobs",
      `/jobs/${id}`,
      `/jobs/${id}/media`,
      `/jobs/${id}/events`,
      "/usage?format=csv",
    ]) {
      const [get, head] = [await acme.call(path), await acme.call(path, { method: "HEAD" })];
      expect([head.status, head.headers.get("content-type")], path).toEqual([
        200,
        get.headers.get("content-type"),
      ]);
      expect(await head.text()).toBe("");
      await get.body?.cancel();
    }
    const head = await acme.call("/quotes", { method: "HEAD" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("names the request, as the caller calls it or by a name of its own", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const named = await acme.call("/nothing", { headers: { "x-request-id": "mine-1" } });
    expect(named.headers.get("x-request-id")).toBe("mine-1");
    expect((await problemIn(named)).request_id).toBe("mine-1");
    const other = await acme.call("/nothing", { headers: { "x-request-id": "no spaces, please" } });
    expect(other.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});
