import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROBLEM } from "../../../../adapters/http/mcp/session/results.ts";
import { openGateway, type TestGateway, type TestPartner } from "../../../support/gateway.ts";
import { type TestSandbox, testSandbox } from "../../../support/sandbox.ts";
import { connectTo, ERAS } from "./harness.ts";
import { factsOf, jobOf, problemOf } from "./results.ts";

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

/** Tokens of what a client hands its model, four characters of JSON each: o200k_base makes 4.3 characters of it one. */
const tokensOf = (...parts: readonly unknown[]) =>
  Math.ceil(parts.map((part) => JSON.stringify(part)).join("").length / 4);

const namesOf = async (agent: Client) => (await agent.listTools()).tools.map(({ name }) => name);

const SLIM = ["make", "quote", "wait", "list", "cancel", "find", "describe", "choices"];

describe("the tools that an agent is shown", () => {
  it.each(ERAS)("are few, and take fewer than 2,000 tokens with the instructions (%s)", async (era) => {
    const agent = await connectTo(gateway.url, acme.token, era);
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(SLIM);
    expect(tokensOf(tools, agent.getInstructions())).toBeLessThan(2_000);
    await agent.close();
  });

  it("are all of them where its address or the setting says so", async () => {
    const full = await connectTo(gateway.url, acme.token, "auto", { at: "?tools=full" });
    const names = await namesOf(full);
    await full.close();
    expect(names).toEqual(expect.arrayContaining([...SLIM, "video", "image", "status"]));
    await using other = await openGateway(sandbox, { settings: { REELAY_AGENT_TOOLS: "full" } });
    const { token } = await other.join();
    const agents = await Promise.all([
      connectTo(other.url, token),
      connectTo(other.url, token, "auto", { at: "?tools=slim" }),
    ]);
    expect(await Promise.all(agents.map(namesOf))).toEqual([names, SLIM]);
    await Promise.all(agents.map((agent) => agent.close()));
    for (const query of ["tools=most", "tools=full&tools=slim"]) {
      const wrong = await fetch(`${gateway.url}/mcp?${query}`, {
        method: "POST",
        headers: { authorization: `Bearer ${acme.token}` },
      });
      expect([wrong.status, await wrong.json()]).toMatchObject([422, { errors: [{ field: "query.tools" }] }]);
    }
  });

  it("say what their facts hold, which the client holds them to", async () => {
    const { tools } = await client.listTools();
    for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: "object" });
    const made = await client.callTool({
      name: "make",
      arguments: { operation: "image", input: { prompt: "a fox" } },
    });
    const { id } = jobOf(made);
    expect(jobOf(await client.callTool({ name: "wait", arguments: { job: id } })).media[0]).toMatchObject({
      type: expect.stringMatching(/^image\//),
      link: expect.stringContaining("/v1/media/"),
    });
    for (const name of ["find", "list"]) expect((await client.callTool({ name })).isError).toBeFalsy();
  });

  it("list jobs, newest first, page by page", async () => {
    const other = await gateway.join("lister");
    const agent = await connectTo(gateway.url, other.token);
    expect(await agent.callTool({ name: "list" })).toMatchObject({ content: [{ text: "There are none." }] });
    const ids: string[] = [];
    for (const prompt of ["one", "two", "three"])
      ids.unshift((await other.accepted({ operation: "image", input: { prompt } })).id);
    await Promise.all(ids.map((id) => other.ended(id)));
    const first = factsOf(await agent.callTool({ name: "list", arguments: { limit: 2 } }));
    expect(first["data"]).toMatchObject(
      ids.slice(0, 2).map((id) => ({ id, operation: "image", status: "completed" })),
    );
    const rest = await agent.callTool({ name: "list", arguments: { cursor: first["next_cursor"] } });
    expect(factsOf(rest)).toMatchObject({ data: [{ id: ids[2] }], next_cursor: null });
    const failed = await agent.callTool({ name: "list", arguments: { status: "failed" } });
    expect(factsOf(failed)).toMatchObject({ data: [] });
    await agent.close();
  });

  it("offer common wishes to be picked", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["animate-photo", "draw", "edit-photo", "results"]);
    const asked = {
      name: "animate-photo",
      arguments: { photo: "https://example.com/a.jpg", motion: "waves" },
    };
    const { messages } = await client.getPrompt(asked);
    expect(JSON.stringify(messages)).toContain("https://example.com/a.jpg. In it: waves. Use Reelay's tools");
    for (const tool of ["find", "describe", "quote", "make", "wait"])
      expect(JSON.stringify(messages)).toContain(`\`${tool}\``);
    await expect(client.getPrompt({ name: "draw" })).rejects.toThrow("picture");
  });
});

describe("cancelling", () => {
  it("takes a job out of the queue, and leaves one alone that has ended", async () => {
    await using slow = await testSandbox({ timeScale: 1 });
    await using house = await openGateway(slow, { timeScale: 1 });
    const partner = await house.join("waiting");
    const agent = await connectTo(house.url, partner.token);
    const cancel = (job: string) => agent.callTool({ name: "cancel", arguments: { job } });
    // More than an account has places at the service: the last one waits.
    const asked = Array.from({ length: 24 }, (_, n) =>
      partner.accepted({ operation: "h3-text", input: { prompt: `waves ${n}` } }),
    );
    const last =
      (await Promise.all(asked))
        .map(({ id }) => id)
        .toSorted()
        .at(-1) ?? "";
    expect(jobOf(await cancel(last))).toMatchObject({ id: last, status: "cancelled", cost: 0 });
    expect(jobOf(await cancel(last))).toMatchObject({ id: last, status: "cancelled" });
    const unknown = await cancel("nothing");
    expect(unknown).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "not_found" } } });
    // The inspector holds facts to the tool's `outputSchema` there, too, and shows nothing else.
    expect(unknown.structuredContent).toBeUndefined();
    await agent.close();
  });

  it("of what has ended takes nothing away", async () => {
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a kept fox" } });
    const before = await acme.ended(id);
    const kept = await client.callTool({ name: "cancel", arguments: { job: id } });
    expect(kept.structuredContent).toEqual(before);
    expect(await acme.ended(id)).toEqual(before);
  });

  it("a call that waits ends the waiting alone", async () => {
    await using slow = await testSandbox({ timeScale: 0.2 });
    await using house = await openGateway(slow, { timeScale: 0.2 });
    const partner = await house.join();
    const { id } = await partner.accepted({ operation: "h3-text", input: { prompt: "waves" } });
    const agent = await connectTo(house.url, partner.token);
    const left = new AbortController();
    const waiting = agent.callTool(
      { name: "wait", arguments: { job: id } },
      { signal: left.signal, onprogress: () => left.abort() },
    );
    await expect(waiting).rejects.toThrow("abort");
    expect(await partner.ended(id)).toMatchObject({ status: "completed" });
    await agent.close();
  });
});

describe("a number", () => {
  it("may come as a text that is one", async () => {
    const wait = { name: "wait", arguments: { job: "0mwprskck334cb5f05e", seconds: "0.5" } };
    expect(problemOf(await client.callTool(wait))).toMatchObject({ code: "not_found" });
    const list = await client.callTool({ name: "list", arguments: { limit: "10" } });
    expect(list.isError).not.toBe(true);
  });

  it.each(["0x10", "1e1", " 10", "ten", ""])("is no text such as %j", async (limit) => {
    const list = await client.callTool({ name: "list", arguments: { limit } });
    expect(list.isError).toBe(true);
  });
});
