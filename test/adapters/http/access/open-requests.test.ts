import { EventEmitter } from "node:events";
import type { Context } from "hono";
import { describe, expect, it, vi } from "vitest";
import { OpenRequests } from "../../../../adapters/http/access/open-requests.ts";
import type { ProblemBody } from "../../../../adapters/http/resources/problem.ts";
import type { Caller } from "../../../../src/seam/access/partners.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { openGateway, type TestGateway, type TestPartner } from "../../../support/gateway.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const log = makeLogger({ level: "silent" });

/** Whose token it is, as far as it matters here. */
const callerOf = (partner: string, token: string) =>
  ({ partner: { id: partner }, token: { id: token } }) as Caller;

/** What holds places, two streams for a token, three for a partner, four in all; one request each. */
function harness() {
  const good = new Set(["a1", "a2", "b1", "b2"]);
  const open = new OpenRequests({
    log,
    partners: {
      isGood: async ({ token }) => {
        if (token.id === "b2") throw new Error("The disk is gone.");
        return good.has(token.id);
      },
    },
    most: {
      stream: { token: 2, partner: 3, all: 4 },
      request: { token: 1, partner: 1, all: 1 },
      bytes: { token: 1_000, partner: 1_500, all: 2_000 },
    },
    lookMs: 5,
  });
  function enter(partner: string, token: string, kind: "stream" | "request" = "stream", bytes = 0) {
    const outgoing = new EventEmitter();
    const context = { env: { outgoing } } as unknown as Context;
    const { revoked: ended, holds } = open.enter(context, callerOf(partner, token), kind, bytes);
    return { ended, holds, leave: () => outgoing.emit("close") };
  }
  const refusal = (...given: Parameters<typeof enter>) => {
    try {
      enter(...given);
    } catch (error) {
      if (error instanceof ReelayError) return [error.code, error.params["max"]];
      throw error;
    }
    return undefined;
  };
  return { enter, refusal, revoke: (token: string) => good.delete(token) };
}

describe("open requests", () => {
  it("are bounded by what their bodies may have in memory, but for one that is alone", () => {
    const { enter, refusal } = harness();
    const large = enter("a", "a1", "stream", 1_001);
    expect(refusal("a", "a1", "stream", 1)).toEqual(["too_many_open", 1]);
    enter("a", "a2", "stream", 499);
    expect(refusal("a", "a2", "stream", 1)).toEqual(["too_many_open", 2]);
    expect(refusal("b", "b1", "stream", 501)).toEqual(["too_many_open", 2]);
    large.leave();
    expect(refusal("b", "b1", "stream", 501)).toBeUndefined();
  });

  it("count as long as they are, once that is known, and no more once they were answered", () => {
    const { enter, refusal } = harness();
    const first = enter("a", "a1", "stream", 1_000);
    expect(refusal("a", "a1", "stream", 1)).toEqual(["too_many_open", 1]);
    first.holds(400);
    expect(refusal("a", "a1", "stream", 601)).toEqual(["too_many_open", 1]);
    const second = enter("a", "a1", "stream", 600);
    second.leave();
    second.holds(1_000);
    expect(refusal("a", "a1", "stream", 601)).toEqual(["too_many_open", 1]);
    expect(refusal("a", "a1", "stream", 600)).toBeUndefined();
  });

  it("are bounded for a token, for a partner, and in all, each kind apart", () => {
    const { enter, refusal } = harness();
    enter("a", "a1");
    enter("a", "a1");
    expect(refusal("a", "a1")).toEqual(["too_many_open", 2]);
    enter("a", "a2");
    expect(refusal("a", "a2")).toEqual(["too_many_open", 3]);
    enter("b", "b1");
    expect(refusal("b", "b1")).toEqual(["too_many_open", 4]);
    enter("a", "a1", "request");
    expect(refusal("b", "b1", "request")).toEqual(["too_many_open", 1]);
  });

  it("give their place back when their answer has ended", () => {
    const { enter, refusal } = harness();
    const [first] = [enter("a", "a1"), enter("a", "a1")];
    expect(refusal("a", "a1")).toBeDefined();
    first.leave();
    expect(refusal("a", "a1")).toBeUndefined();
    expect(refusal("a", "a1")).toBeDefined();
  });

  it("end with their token, and with no other; where that cannot be read they go on", async () => {
    const { enter, revoke } = harness();
    const [revoked, other, unread] = [enter("a", "a1"), enter("a", "a2"), enter("b", "b2")];
    revoke("a1");
    await vi.waitFor(() => expect(revoked.ended.aborted).toBe(true), PATIENCE_MS);
    expect(other.ended.aborted).toBe(false);
    expect(unread.ended.aborted).toBe(false);
    // Later ones are looked at, too, after all others have left.
    for (const { leave } of [revoked, other, unread]) leave();
    const late = enter("a", "a2");
    revoke("a2");
    await vi.waitFor(() => expect(late.ended.aborted).toBe(true), PATIENCE_MS);
  });
});

/** Opens one stream of a job that does not end. */
const follow = (partner: TestPartner, job: string) => partner.call(`/jobs/${job}/events`);

/** An agent waits for a job that does not end. */
function waitFor(gateway: TestGateway, token: string, job: string, chunked = false) {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "wait", arguments: { job, seconds: 59 }, _meta: { progressToken: 1 } },
  });
  return fetch(`${gateway.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    // A stream does not say how long it is.
    ...(chunked ? { body: new Blob([body]).stream(), duplex: "half" } : { body }),
  });
}

describe("a token", () => {
  it("holds a hundred event streams, and the next is refused with a number", async () => {
    await using sandbox = await testSandbox({ timeScale: 100 });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { requestsPerMinute: 10_000 });
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a lighthouse" } });
    const streams = [];
    for (let count = 0; count < 100; count++) streams.push(await follow(acme, id));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const answer = await follow(acme, id);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("10");
    const problem = (await answer.json()) as ProblemBody;
    expect(problem).toMatchObject({ code: "too_many_open", retryable: true });
    expect(problem.detail).toContain("100");
    // Whatever is no stream goes on, and so does everybody else.
    expect((await acme.call("/partner")).status).toBe(200);
    const other = await gateway.join("other");
    expect((await other.call(`/jobs/${id}/events`)).status).toBe(404);
    await gateway.partners.remove("other");
    for (const { body } of streams) await body?.cancel();
  });

  it("that is revoked ends its streams, and those of no other token", async () => {
    await using sandbox = await testSandbox({ timeScale: 100 });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a lighthouse" } });
    const { token, info } = await gateway.partners.addToken("acme", { scopes: ["jobs:read"] });
    const authorization = `Bearer ${token}`;
    const path = `${gateway.url}/v1/jobs/${id}/events`;
    const revoked = await fetch(path, { headers: { authorization } });
    const abort = new AbortController();
    const other = await acme.call(`/jobs/${id}/events`, { signal: abort.signal });
    let otherEnded = false;
    const reading = other.text().then(
      () => (otherEnded = true),
      () => {},
    );
    await gateway.partners.revokeToken("acme", info.id);
    expect(await revoked.text()).toContain("retry:");
    expect(otherEnded).toBe(false);
    expect((await fetch(path, { headers: { authorization } })).status).toBe(401);
    abort.abort();
    await reading;
  });

  it("holds agents' calls that wait, however long they might have been by what they said", async () => {
    await using sandbox = await testSandbox({ timeScale: 100 });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { requestsPerMinute: 10_000 });
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a lighthouse" } });
    const calls = [];
    for (let count = 0; count < 10; count++) calls.push(await waitFor(gateway, acme.token, id, true));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
    for (const { body } of calls) await body?.cancel();
  });

  it("that is revoked ends what an agent waits for", async () => {
    await using sandbox = await testSandbox({ timeScale: 100 });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a lighthouse" } });
    const { token, info } = await gateway.partners.addToken("acme", { scopes: ["jobs:read"] });
    const answer = await waitFor(gateway, token, id);
    expect(answer.status).toBe(200);
    await gateway.partners.revokeToken("acme", info.id);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("that has expired says so", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await gateway.join();
    const { token } = await gateway.partners.addToken("acme", { scopes: ["jobs:read"], expiresAt: 1 });
    const answer = await fetch(`${gateway.url}/v1/partner`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
    const { code, detail } = (await answer.json()) as ProblemBody;
    expect(code).toBe("token_expired");
    expect(detail).toContain("1970");
  });
});
