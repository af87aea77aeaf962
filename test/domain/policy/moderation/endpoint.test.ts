import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { type Deadline, deadlineIn } from "../../../../src/domain/policy/moderation/deadline.ts";
import { ModerationEndpoint } from "../../../../src/domain/policy/moderation/endpoint.ts";
import { answer, hang, json, serve, type TestServer } from "../../../infrastructure/api/server.ts";
import { eventually } from "../../../support/eventually.ts";

const NOTHING = { results: [{ flagged: false, categories: {} }] };
const PASSED = json(NOTHING);
const WORDS = [{ type: "text", text: "a dragon" }] as const;

const endpointAt = ({ origin }: Pick<TestServer, "origin">, key?: string) =>
  new ModerationEndpoint({ url: `${origin}/here`, key, model: "m", whenDown: "closed", timeoutMs: 60_000 });

/** What an endpoint comes to that answers so, and how often it was asked. */
async function asked(steps: readonly RequestListener[], deadline: Deadline = deadlineIn(60_000)) {
  await using server = await serve(...steps);
  const found = await endpointAt(server).ask(WORDS, deadline);
  return { ...found, times: server.requests.length };
}

/** What the operator is told to look at. */
const advice = (named: string): unknown => expect.stringContaining(named);

/** An answer that nothing is flagged, of so many bytes. */
const bodyOf = (size: number) => answer(200, JSON.stringify(NOTHING).padEnd(size));

const inMs = (ms: number): Deadline => ({ at: Date.now() + ms, signal: AbortSignal.timeout(60_000) });

describe("a request", () => {
  it("says who asks for what, with the key where there is one", async () => {
    const bodies: string[] = [];
    await using server = await serve((request, response) => {
      void text(request)
        .then((body) => bodies.push(body))
        .then(() => response.end(JSON.stringify(NOTHING)));
    });
    expect(await endpointAt(server, "sk-one").ask(WORDS, deadlineIn(60_000))).toEqual({ kind: "passed" });
    await endpointAt(server).ask(WORDS, deadlineIn(60_000));
    const [first, second] = server.requests;
    expect(first).toMatchObject({ method: "POST", path: "/here" });
    expect(first?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Reelay",
      authorization: "Bearer sk-one",
    });
    expect(second?.headers).not.toHaveProperty("authorization");
    for (const body of bodies) expect(JSON.parse(body)).toEqual({ model: "m", input: WORDS });
  });
});

describe("an answer", () => {
  it.each([
    [200, PASSED, { kind: "passed" }],
    [299, json(NOTHING, 299), { kind: "passed" }],
    [300, json({}, 300), { kind: "unreadable", found: "status 300" }],
    [400, json({}, 400), { kind: "unreadable", found: "status 400" }],
    [401, json({}, 401), { kind: "down", found: "status 401", advice: advice("_KEY") }],
    [403, json({}, 403), { kind: "down", found: "status 403", advice: advice("_KEY") }],
    [404, json({}, 404), { kind: "down", found: "status 404", advice: advice("_URL and") }],
    [499, json({}, 499), { kind: "unreadable", found: "status 499" }],
  ])("of %i is believed at once", async (_, step, found) => {
    expect(await asked([step])).toMatchObject({ ...found, times: 1 });
  });

  it.each([429, 500, 503])("of %i is asked for once more", async (status) => {
    const overloaded = { kind: "down", found: `status ${status}`, advice: advice("overloaded") };
    expect(await asked([json({}, status)])).toMatchObject({ ...overloaded, times: 2 });
    expect(await asked([json({}, status), PASSED])).toMatchObject({ kind: "passed", times: 2 });
  });

  it("that breaks off says in a word why", async () => {
    await using server = await serve(PASSED);
    const { origin } = server;
    await server[Symbol.asyncDispose]();
    expect(await endpointAt({ origin }).ask(WORDS, deadlineIn(60_000))).toMatchObject({
      kind: "down",
      found: "no connection (ECONNREFUSED)",
      advice: advice("whether the endpoint runs"),
    });
  });

  it("may be of a mebibyte, and no more", async () => {
    expect(await asked([bodyOf(2 ** 20)])).toMatchObject({ kind: "passed" });
    expect(await asked([bodyOf(2 ** 20 + 1)])).toMatchObject({
      kind: "unreadable",
      found: "an answer of more than 1 MiB",
      times: 1,
    });
  });

  it("is waited for a quarter of a second before it is asked for again, or as long as it says", async () => {
    const pauses: number[] = [];
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) => {
      pauses.push(ms);
      return setImmediate(run);
    }) as unknown as typeof setTimeout);
    try {
      const endpoint = endpointAt({ origin: "http://127.0.0.1:1" });
      await endpoint.ask(WORDS, { at: Infinity, signal: new AbortController().signal });
    } finally {
      spy.mockRestore();
    }
    expect(pauses).toContain(250);
  });

  it("that asks for a pause beyond the deadline is not asked for again", async () => {
    const step = json({}, 503, { "retry-after": "1" });
    expect(await asked([step, PASSED], inMs(900))).toMatchObject({ kind: "down", times: 1 });
    expect(await asked([step, PASSED], inMs(30_000))).toMatchObject({ kind: "passed", times: 2 });
  });

  it("is the first one where the deadline comes within the pause", async () => {
    const end = new AbortController();
    await using server = await serve(json({}, 503, { "retry-after": "60" }));
    const found = endpointAt(server).ask(WORDS, { at: Infinity, signal: end.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    setTimeout(() => end.abort(), 200);
    expect(await found).toMatchObject({ kind: expect.stringMatching(/down/) });
    expect(server.requests).toHaveLength(1);
  });
});

describe("an endpoint without an answer in time", () => {
  it("is busy where it answered somebody meanwhile, and down where nobody", async () => {
    const end = new AbortController();
    await using server = await serve(hang, PASSED, hang);
    const endpoint = endpointAt(server);
    const silent = endpoint.ask(WORDS, { at: Infinity, signal: end.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    expect(await endpoint.ask(WORDS, deadlineIn(60_000))).toEqual({ kind: "passed" });
    end.abort();
    expect(await silent).toMatchObject({
      kind: "busy",
      found: "no answer in time",
      advice: expect.stringContaining("TIMEOUT_MS"),
    });
    const second = new AbortController();
    const alone = endpoint.ask(WORDS, { at: Infinity, signal: second.signal });
    await eventually(() => expect(server.requests).toHaveLength(3));
    second.abort();
    expect(await alone).toMatchObject({ kind: "down", found: "no answer in time" });
  });

  it("is down where it only refused others", async () => {
    const end = new AbortController();
    await using server = await serve(hang, json({}, 400));
    const endpoint = endpointAt(server);
    const silent = endpoint.ask(WORDS, { at: Infinity, signal: end.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    expect((await endpoint.ask(WORDS, deadlineIn(60_000))).kind).toBe("unreadable");
    end.abort();
    expect((await silent).kind).toBe("down");
  });

  it("is busy, too, where what it answered was flagged", async () => {
    const end = new AbortController();
    const flagged = json({ results: [{ flagged: true, categories: { hate: true } }] });
    await using server = await serve(hang, flagged);
    const endpoint = endpointAt(server);
    const silent = endpoint.ask(WORDS, { at: Infinity, signal: end.signal });
    await eventually(() => expect(server.requests).toHaveLength(1));
    expect((await endpoint.ask(WORDS, deadlineIn(60_000))).kind).toBe("flagged");
    end.abort();
    expect((await silent).kind).toBe("busy");
  });
});
