import { type Client, discoverOAuthProtectedResourceMetadata } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROBLEM } from "../../../../adapters/http/mcp/session/results.ts";
import { openGateway, type TestGateway, type TestPartner } from "../../../support/gateway.ts";
import { testPicture, type TestSandbox, testSandbox } from "../../../support/sandbox.ts";
import { factsOf, jobOf, linksOf, problemOf } from "./results.ts";
import { connectTo, ERAS } from "./harness.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let acme: TestPartner;
let client: Client;

beforeAll(async () => {
  sandbox = await testSandbox();
  gateway = await openGateway(sandbox);
  acme = await gateway.join();
  client = await connectTo(gateway.url, acme.token);
});

afterAll(async () => {
  await client.close();
  await gateway[Symbol.asyncDispose]();
  await sandbox.stop();
});

/** A call of `/mcp` by hand. */
const call = (headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${gateway.url}/mcp`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    ...init,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${acme.token}`,
      ...headers,
    },
  });

describe("what counts as several requests", () => {
  it("is a call that is large, whether or not it says so", async () => {
    const busy = await gateway.join("large", { requestsPerMinute: 20 });
    const authorization = `Bearer ${busy.token}`;
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const large = await call({ authorization }, { body: list + " ".repeat(2 ** 20) });
    expect([large.status, large.headers.get("ratelimit")]).toEqual([200, expect.stringContaining("r=15;")]);
    const body = new Blob([list]).stream();
    expect((await call({ authorization }, { body, duplex: "half" })).status).toBe(429);
  });

  it("is a request with several calls in it", async () => {
    const busy = await gateway.join("busy", { requestsPerMinute: 10 });
    const send = (calls: number) => {
      const lists = Array.from({ length: calls }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" }));
      return call({ authorization: `Bearer ${busy.token}` }, { body: JSON.stringify(lists) });
    };
    const few = await send(4);
    expect([few.status, few.headers.get("ratelimit")]).toEqual([200, expect.stringContaining("r=6;")]);
    expect((await send(100)).status).toBe(429);
  });
});

describe("an agent's tools", () => {
  it("pass on what the person stated, and say what to ask them first", async () => {
    const asked = await gateway.join("asked", { gates: "asked" });
    const agent = await connectTo(gateway.url, asked.token);
    const paint = (agreed: readonly string[]) =>
      agent.callTool({ name: "image", arguments: { prompt: "a cat", in_app_username: "jo", agreed } });
    const refused = await paint([]);
    expect(refused).toMatchObject({ isError: true, _meta: { [PROBLEM]: { statement: "terms" } } });
    expect(JSON.stringify(refused.content)).toContain("Only if they say yes");
    expect(jobOf(await paint(["terms"]))).toMatchObject({ in_app_username: "jo", mature: false });
    await agent.close();
  });

  it("are the gateway's operations, each taking what the gateway says", async () => {
    const agent = await connectTo(gateway.url, acme.token, "auto", { at: "?tools=full" });
    const { tools } = await agent.listTools();
    await agent.close();
    const answer = await acme.call("/operations");
    const { data } = (await answer.json()) as { data: { id: string; input_schema: object; title: string }[] };
    expect(data.length).toBeGreaterThan(10);
    for (const { id, input_schema, title } of data) {
      const tool = tools.find(({ name }) => name === id);
      const { in_app_username, agreed, idempotency_key, ...properties } = tool?.inputSchema.properties ?? {};
      expect({ ...tool?.inputSchema, properties }).toEqual(input_schema);
      expect(agreed).toMatchObject({ type: "array", maxItems: 4 });
      expect([in_app_username, idempotency_key]).toEqual([
        expect.objectContaining({ type: "string" }),
        expect.objectContaining({ type: "string" }),
      ]);
      expect(tool).toMatchObject({ title, annotations: { readOnlyHint: false } });
      expect(tool?.description).toContain("Costs tokens");
    }
    const others = tools.map(({ name }) => name).filter((name) => data.every(({ id }) => id !== name));
    expect(others).toEqual([
      "make",
      "quote",
      "status",
      "wait",
      "list",
      "cancel",
      "find",
      "describe",
      "choices",
    ]);
    // Some clients take no other names.
    expect(tools.every(({ name }) => /^[\w-]{1,64}$/.test(name))).toBe(true);
  });

  it.each(ERAS)("make a video with news on the way, and link to it (%s)", async (era) => {
    const agent = await connectTo(gateway.url, acme.token, era);
    const heard: { progress: number; message: string | undefined }[] = [];
    const made = await client.callTool(
      {
        name: "video",
        arguments: { image: await testPicture(), prompt: "slow zoom", in_app_username: "jo" },
      },
      { onprogress: ({ progress, message }) => void heard.push({ progress, message }) },
    );
    expect(made.isError).toBeFalsy();
    const job = jobOf(made);
    expect(job).toMatchObject({ object: "job", status: "completed", in_app_username: "jo" });
    expect(heard[0]).toEqual({ progress: 0, message: expect.stringMatching(/queued|submitting/) });
    const [link, ...more] = linksOf(made);
    expect(more).toEqual([]);
    expect(link).toMatchObject({ mimeType: "video/mp4", uri: job.media[0]?.link, size: job.media[0]?.bytes });
    const bytes = Buffer.from(await (await fetch(link?.uri ?? "")).arrayBuffer());
    expect([bytes.length, bytes.subarray(4, 8).toString()]).toEqual([link?.size, "ftyp"]);
    expect(await (await acme.call(`/jobs/${job.id}`)).json()).toEqual(job);
    await agent.close();
  });

  it("answer at once where nobody asked for news, and wait for what was made", async () => {
    const submitted = await client.callTool({
      name: "make",
      arguments: { operation: "image", input: { prompt: "a fox" } },
    });
    const { id, status } = jobOf(submitted);
    expect(["queued", "running"]).toContain(status);
    const waited = await client.callTool({ name: "wait", arguments: { job: id } });
    expect(jobOf(waited)).toMatchObject({ id, status: "completed" });
    expect(linksOf(waited)[0]).toMatchObject({ mimeType: expect.stringMatching(/^image\//) });
    const read = await client.callTool({ name: "status", arguments: { job: id } });
    expect(factsOf(read)).toEqual(factsOf(waited));
    const uri = `reelay://jobs/${id}/media/0`;
    const { contents } = await client.readResource({ uri });
    expect(contents[0]).toMatchObject({ uri, blob: expect.any(String) });
  });

  it("make once what is asked for twice under one key", async () => {
    const one = { name: "image", arguments: { prompt: "one fox", idempotency_key: "fox-1" } };
    const first = jobOf(await client.callTool(one));
    expect(jobOf(await client.callTool(one)).id).toBe(first.id);
    await client.callTool({ name: "wait", arguments: { job: first.id } });
    const { submissions } = await sandbox.ledger();
    expect(submissions.filter(({ prompt }) => prompt === "one fox")).toHaveLength(1);
    const two = { ...one, arguments: { ...one.arguments, prompt: "two foxes" } };
    expect(await client.callTool(two)).toMatchObject({
      isError: true,
      _meta: { [PROBLEM]: { code: "idempotency_mismatch" } },
    });
  });

  it("make once what is asked for many times at once", async () => {
    const twin = { name: "image", arguments: { prompt: "a twin", idempotency_key: "twin-1" } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.callTool(twin)));
    const accepted = answers.filter(({ isError }) => !isError).map((answer) => jobOf(answer).id);
    const refused = answers.filter(({ isError }) => isError).map((answer) => problemOf(answer).code);
    expect(new Set(accepted).size).toBe(1);
    expect(refused.filter((code) => code !== "idempotency_in_flight")).toEqual([]);
    await client.callTool({ name: "wait", arguments: { job: accepted[0] } });
    const { submissions } = await sandbox.ledger();
    expect(submissions.filter(({ prompt }) => prompt === "a twin")).toHaveLength(1);
  });

  it("say what is wrong with each field, and what it would take", async () => {
    const refused = await client.callTool({
      name: "video",
      arguments: { prompt: "slow zoom", duration: 99, image: "not a picture", color: "red" },
    });
    expect(refused.isError).toBe(true);
    expect(problemOf(refused).errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: "input.duration", max: 8, example: expect.any(Number) }),
        expect.objectContaining({ field: "input.image", code: "field_not_file" }),
        expect.objectContaining({ field: "input.color", code: "field_unknown" }),
      ]),
    );
    expect(JSON.stringify(refused.content)).toContain("input.duration");
    // Of the server's own disk nobody gets anything.
    const local = { operation: "video", input: { image: "file:///etc/hostname", prompt: "slow zoom" } };
    expect(problemOf(await client.callTool({ name: "make", arguments: local })).errors).toMatchObject([
      { field: "input.image", code: "field_not_file" },
    ]);
    const wrong = await client.callTool({ name: "wait", arguments: { job: "j1", seconds: 90 } });
    expect(problemOf(wrong).errors).toMatchObject([{ field: "seconds", max: 59 }]);
    const unknown = await client.callTool({ name: "status", arguments: { job: "j1" } });
    expect(unknown).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "not_found" } } });
  });

  it("tell prices and choices without making anything", async () => {
    const { submissions } = await sandbox.ledger();
    const priced = await client.callTool({
      name: "quote",
      arguments: { operation: "h3-text", input: { prompt: "waves" } },
    });
    expect(factsOf(priced)).toMatchObject({ basis: expect.any(String), balance: expect.any(Number) });
    const found = await client.callTool({
      name: "choices",
      arguments: { catalogue: "video-templates", limit: 2 },
    });
    const listed = await (await acme.call("/catalogues/video-templates?limit=2")).json();
    expect(factsOf(found)).toEqual(listed);
    const all = await client.callTool({ name: "find" });
    expect(factsOf(all)["data"]).toContainEqual(expect.objectContaining({ id: "faceswap" }));
    const few = await client.callTool({ name: "find", arguments: { words: "SWAP face" } });
    expect(factsOf(few)["data"]).toMatchObject([{ id: "faceswap" }]);
    const none = await client.callTool({ name: "find", arguments: { words: "a submarine" } });
    expect(none).toMatchObject({
      content: [{ text: "Nothing was found." }],
      structuredContent: { data: [] },
    });
    const one = await client.callTool({ name: "describe", arguments: { operation: "image" } });
    expect(factsOf(one)).toEqual(await (await acme.call("/operations/image")).json());
    expect((await sandbox.ledger()).submissions).toHaveLength(submissions.length);
  });
});

describe("waiting", () => {
  it("tells how far the job is, more each time", async () => {
    await using slow = await testSandbox({ timeScale: 0.2 });
    await using house = await openGateway(slow, { timeScale: 0.2 });
    const partner = await house.join();
    const { id } = await partner.accepted({ operation: "h3-text", input: { prompt: "waves" } });
    const agent = await connectTo(house.url, partner.token);
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
    const waited = await agent.callTool({ name: "wait", arguments: { job: id } }, { onprogress });
    expect(factsOf(waited)).toMatchObject({ id, status: "completed" });
    expect(heard.length).toBeGreaterThan(1);
    expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
    await agent.close();
  });

  it("ends after the seconds that were asked for, with the state and the advice to call again", async () => {
    await using slow = await testSandbox({ timeScale: 1 });
    await using house = await openGateway(slow, { timeScale: 1 });
    const partner = await house.join();
    const { id } = await partner.accepted({ operation: "image", input: { prompt: "a fox" } });
    const agent = await connectTo(house.url, partner.token);
    const waited = await agent.callTool({ name: "wait", arguments: { job: id, seconds: 0.2 } });
    expect(factsOf(waited)).toMatchObject({ id, status: expect.stringMatching(/queued|running/) });
    expect(JSON.stringify(waited.content)).toContain("Call `wait`");
    await agent.close();
  });
});

describe("the way in", () => {
  it("takes a token, as everything of the gateway", async () => {
    const none = await call({ authorization: "" });
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="reelay", resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp"`,
    ]);
    expect(await none.json()).toMatchObject({ code: "token_missing" });
    const wrong = await call({ authorization: "Bearer rly_wrong" });
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([401, "token_invalid"]);
    await expect(connectTo(gateway.url, "rly_wrong")).rejects.toThrow("HTTP 401");
  });

  it("says what tokens it takes, where clients look for that", async () => {
    const found = await discoverOAuthProtectedResourceMetadata(new URL(`${gateway.url}/mcp`));
    expect(found).toEqual({
      resource: `${gateway.url}/mcp`,
      resource_name: "Reelay",
      scopes_supported: ["jobs:read", "jobs:write", "usage:read", "webhooks"],
      bearer_methods_supported: ["header"],
      resource_documentation: `${gateway.url}/v1/docs`,
    });
  });

  it("counts calls with all others of the partner", async () => {
    const few = await gateway.join("few", { requestsPerMinute: 1 });
    const headers = { authorization: `Bearer ${few.token}` };
    expect((await few.call("/partner")).status).toBe(200);
    const refused = await call(headers);
    expect([refused.status, refused.headers.get("ratelimit")]).toEqual([429, expect.stringContaining("r=0")]);
  });

  it("says which scope a token lacks, as the tool's result", async () => {
    const reader = await gateway.join("reader", { scopes: ["jobs:read"] });
    const agent = await connectTo(gateway.url, reader.token);
    const refused = await agent.callTool({ name: "image", arguments: { prompt: "a fox" } });
    expect(refused).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "scope_missing" } } });
    const unknown = await agent.callTool({ name: "status", arguments: { job: "x" } });
    expect(problemOf(unknown).code).toBe("not_found");
    await agent.close();
  });

  it("shows one partner nothing of another's", async () => {
    const other = await gateway.join("other");
    const { id } = await other.accepted({ operation: "image", input: { prompt: "a secret fox" } });
    const stolen = await client.callTool({ name: "wait", arguments: { job: id } });
    expect(stolen).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "not_found" } } });
    await other.ended(id);
    await expect(client.readResource({ uri: `reelay://jobs/${id}/media/0` })).rejects.toThrow(
      "This cannot be found",
    );
  });

  it("refuses pages from elsewhere, and lets those of this machine in", async () => {
    const foreign = await call({ origin: "https://evil.example" });
    expect([foreign.status, ((await foreign.json()) as { code: string }).code]).toEqual([
      403,
      "origin_refused",
    ]);
    expect((await call({ origin: "null" })).status).toBe(403);
    expect((await call({ origin: "http://localhost:6274" })).status).toBe(200);
  });

  it("keeps no sessions, and takes neither other methods nor more than a call may be", async () => {
    expect((await call({}, { method: "GET", body: null })).status).toBe(405);
    expect((await call({}, { method: "DELETE", body: null })).status).toBe(405);
    expect((await call({ "content-type": "text/plain" })).status).toBe(415);
    expect((await call({}, { body: "{" })).status).toBe(400);
    const large = await call({}, { body: JSON.stringify("x".repeat(11 * 2 ** 20)) });
    expect([large.status, ((await large.json()) as { code: string }).code]).toEqual([413, "body_too_large"]);
  });
});
