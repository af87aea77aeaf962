import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { serve } from "../infrastructure/api/server.ts";
import { openGateway } from "../support/gateway.ts";
import { hostFor } from "../support/n8n-node/host.ts";
import { type Item, loadPackage } from "../support/n8n-node/package.ts";
import { testSandbox } from "../support/sandbox.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let loaded: Awaited<ReturnType<typeof loadPackage>>;
beforeAll(async () => {
  loaded = await loadPackage();
});

/** n8n with a workflow that begins with the trigger: `await using` stops its server. */
async function workflow() {
  const started: Item[] = [];
  const answers: number[] = [];
  /** What is kept with the workflow. */
  const data: Record<string, unknown> = {};
  const { trigger } = loaded;
  const server = await serve((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const asked = {
        rawBody: undefined as Buffer | undefined,
        async readRawBody() {
          this.rawBody = body;
        },
      };
      const host = Object.assign(hostFor(loaded, [], { baseUrl: "", accessToken: "" }, { data }), {
        getHeaderData: () => request.headers,
        getRequestObject: () => asked,
        getResponseObject: () => ({
          status: (status: number) => ({ send: (text: string) => response.writeHead(status).end(text) }),
        }),
      });
      const { workflowData = [], noWebhookResponse } = await trigger.webhook.call(host);
      started.push(...workflowData.flat());
      if (noWebhookResponse) return;
      answers.push(200);
      response.end();
    })();
  });
  const webhookUrl = `${server.origin}/webhook/1/webhook`;
  return {
    started,
    answers,
    data,
    webhookUrl,
    /** Does what n8n does where the workflow is switched on or off. */
    hook(
      name: "checkExists" | "create" | "delete",
      credentials: Parameters<typeof hostFor>[2],
      events?: readonly string[],
      at = webhookUrl,
    ) {
      const parameters = events ? { events } : {};
      const run = { parameters, data, webhookUrl: at };
      const host = hostFor(loaded, trigger.description.properties, credentials, run);
      return trigger.webhookMethods.default[name].call(host);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe("n8n's trigger", () => {
  it("starts with what Reelay signed, and with nothing else", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using n8n = await workflow();
    const acme = await gateway.join();
    const credentials = { baseUrl: gateway.url, accessToken: acme.token };
    expect(await n8n.hook("checkExists", credentials)).toBe(false);
    expect(await n8n.hook("create", credentials)).toBe(true);
    expect(await n8n.hook("checkExists", credentials)).toBe(true);

    // Somebody who knows the address.
    const forged = JSON.stringify({ type: "job.completed", data: { id: "j1" } });
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)) };
    const signature = `v1,${Buffer.from("guessed".repeat(5)).toString("base64").slice(0, 44)}`;
    for (const more of [{}, { ...headers, "webhook-signature": signature }, { "webhook-signature": "v1," }]) {
      const answer = await fetch(n8n.webhookUrl, { method: "POST", body: forged, headers: { ...more } });
      expect(answer.status).toBe(401);
    }
    expect(n8n.started).toEqual([]);

    // A test event is taken, and starts nothing.
    expect((await acme.call(`/webhooks/${String(n8n.data["id"])}/ping`, { method: "POST" })).status).toBe(
      202,
    );
    await vi.waitFor(() => expect(n8n.answers).toContain(200), PATIENCE_MS);
    expect(n8n.started).toEqual([]);

    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a cat" } });
    await vi.waitFor(() => expect(n8n.started).toHaveLength(1), PATIENCE_MS);
    expect(n8n.started).toMatchObject([
      { json: { id: expect.any(String), type: "job.completed", data: { id, status: "completed" } } },
    ]);

    expect(await n8n.hook("delete", credentials)).toBe(true);
    expect(n8n.data).toEqual({});
    expect(await (await acme.call("/webhooks")).json()).toMatchObject({ data: [] });
    // Somebody removed it at Reelay first.
    await n8n.hook("create", credentials);
    await acme.call(`/webhooks/${String(n8n.data["id"])}`, { method: "DELETE" });
    expect(await n8n.hook("checkExists", credentials)).toBe(false);
    expect(await n8n.hook("delete", credentials)).toBe(true);
  });

  it("hears what it asks for now, and leaves the workflow that is in use alone while it is tried out", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using n8n = await workflow();
    const acme = await gateway.join();
    const credentials = { baseUrl: gateway.url, accessToken: acme.token };
    const list = async () =>
      ((await (await acme.call("/webhooks")).json()) as { data: { id: string; events: string[] }[] }).data;
    await n8n.hook("create", credentials, ["job.failed"]);
    const [first] = await list();
    expect(first?.events).toEqual(["job.failed"]);

    const testUrl = n8n.webhookUrl.replace("/webhook/", "/webhook-test/");
    expect(await n8n.hook("checkExists", credentials, ["job.failed"], testUrl)).toBe(false);
    expect(await list()).toEqual([first]);

    expect(await n8n.hook("checkExists", credentials, ["budget.warning"])).toBe(false);
    expect(await list()).toEqual([]);
    await n8n.hook("create", credentials, ["budget.warning", "job.progress"]);
    expect((await list())[0]?.events.toSorted()).toEqual(["budget.warning", "job.progress"]);
    expect(await n8n.hook("checkExists", credentials, ["job.progress", "budget.warning"])).toBe(true);

    // What refuses is said.
    const stranger = { ...credentials, accessToken: "none" };
    await expect(n8n.hook("checkExists", stranger)).rejects.toMatchObject({ httpCode: "401" });
    await expect(n8n.hook("create", stranger)).rejects.toMatchObject({ httpCode: "401" });
  });
});
