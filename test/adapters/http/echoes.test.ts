import { expect, it } from "vitest";
import { PROBLEM } from "../../../adapters/http/mcp/session/results.ts";
import { openGateway } from "../../support/gateway.ts";
import { drawn, KEY_SHAPES } from "../../support/keys.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { connectTo } from "./mcp/harness.ts";

const key = KEY_SHAPES["base62, 40"]?.(drawn("echo")) ?? "";

it("says a key to nobody again, wherever a program put it by mistake", async () => {
  await using sandbox = await testSandbox();
  // What is sent here breaks no schema, but the answers to it are looked at by hand.
  await using gateway = await openGateway(sandbox, { fetch });
  const acme = await gateway.join("acme");
  const post = (path: string, body: string, type = "application/json") =>
    acme.call(path, {
      method: "POST",
      headers: { "content-type": type, "idempotency-key": crypto.randomUUID() },
      body,
    });
  const image = { operation: "image", input: { prompt: "a cat" } };
  const refused: readonly [number, string, Promise<Response>][] = [
    [415, "body_type", post("/jobs", "{}", key)],
    [415, "body_type", post("/jobs", "{}", `text/plain; key=${key}`)],
    [415, "body_type", post("/webhooks", "{}", `application/${key}`)],
    [404, "unknown_operation", post("/jobs", JSON.stringify({ ...image, operation: key }))],
    [404, "unknown_operation", acme.call(`/operations/${key}`)],
    [422, "field_unknown", post("/jobs", JSON.stringify({ ...image, [key]: "1" }))],
    [422, "field_unknown", post("/jobs", JSON.stringify({ ...image, input: { prompt: "a cat", [key]: 1 } }))],
    [422, "field_unknown", acme.call(`/jobs?${key}=1`)],
    [422, "field_invalid", acme.call(`/jobs?status=${key}`)],
    [404, "not_found", acme.call(`/jobs/${key}`)],
    [404, "route_unknown", acme.call(`/${key}`)],
  ];
  for (const [status, code, sent] of refused) {
    const answer = await sent;
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)], code).toMatchObject([status, { code }]);
    expect(text.toLowerCase()).not.toContain(key.toLowerCase());
  }
  const agent = await connectTo(gateway.url, acme.token);
  for (const call of [
    () => agent.callTool({ name: key, arguments: {} }),
    () => agent.readResource({ uri: `reelay://${key}` }),
    () => agent.readResource({ uri: key }),
  ]) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining("There is no such") });
    expect(JSON.stringify(error) + String(error)).not.toContain(key);
  }
  const inside = await agent.callTool({ name: "image", arguments: { prompt: "a cat", [key]: 1 } });
  expect(inside).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "field_unknown" } } });
  expect(JSON.stringify(inside)).not.toContain(key);
  await agent.close();
});

it("nor one that is known, whatever it looks like", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox, { fetch });
  const plain = "correct-horse-battery-staple";
  const refused = gateway.partners.add("Other", { key: plain, scopes: ["jobs:write"] });
  await expect(refused).rejects.toMatchObject({ code: "unauthorized" });
  const acme = await gateway.join("acme");
  const headers = { "content-type": `text/${plain}`, "idempotency-key": "one" };
  for (const sent of [
    acme.call("/jobs", { method: "POST", body: "{}", headers }),
    acme.call(`/operations/${plain}`),
    acme.call(`/jobs?${plain}=1`),
  ]) {
    const answer = await sent;
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([422, { code: "key_in_words" }]);
    expect(text).not.toContain(plain);
  }
  const agent = await connectTo(gateway.url, acme.token);
  const told = await agent.callTool({ name: "image", arguments: { prompt: "a cat", [plain]: 1 } });
  await agent.close();
  expect(told).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "key_in_words" } } });
  expect(JSON.stringify(told)).not.toContain(plain);
});
