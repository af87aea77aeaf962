import { describe, expect, it, vi } from "vitest";
import type { OpenApi } from "../../../adapters/http/openapi/model.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { checkedFetch } from "../../support/openapi.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

/** A program that calls whatever there is, and notes it. */
class Caller {
  readonly called: string[] = [];
  readonly #partner: TestPartner;

  constructor(partner: TestPartner) {
    this.#partner = partner;
  }

  async call(method: string, path: string, body?: object | FormData): Promise<unknown> {
    this.called.push(`${method} ${path.replace(/\?.*/, "")}`);
    const isForm = body instanceof FormData;
    const answer = await this.#partner.call(path, {
      method,
      headers: {
        "idempotency-key": crypto.randomUUID(),
        ...(body && !isForm && { "content-type": "application/json" }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
  }
}

describe("the gateway", () => {
  it("answers on every route as its document says", async () => {
    await using sandbox = await testSandbox();
    let checked = fetch;
    await using gateway = await openGateway(sandbox, { fetch: (input, init) => checked(input, init) });
    const document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
    checked = checkedFetch(document, fetch);
    const partner = await gateway.join();
    const program = new Caller(partner);
    const call = program.call.bind(program);

    const input = { image: await testPicture(), prompt: "slow zoom" };
    const webhook = { url: "http://127.0.0.1:9/", events: ["job.progress", "job.completed"] };
    const job = { operation: "video", input, in_app_username: "jo", metadata: { order: [1, null] }, webhook };
    const { id } = (await call("POST", "/jobs", job)) as { id: string };
    const form = new FormData();
    form.set("operation", "video-audio");
    form.set("prompt", "slow zoom");
    await call("POST", "/quotes", form);
    await call("GET", `/jobs/${id}/events`);
    const read = async () =>
      (await call("GET", `/jobs/${id}`)) as { status: string; media: { link: string }[] };
    const { media } = await vi.waitUntil(async () => {
      const job = await read();
      return job.status === "completed" && job;
    }, PATIENCE_MS);
    await call("GET", "/jobs?limit=5&status=completed&created_after=2026-01-01T00:00:00Z");
    await call("GET", `/jobs/${id}/media`);
    await call("GET", new URL(media[0]?.link ?? "").pathname.replace("/v1", ""));
    await call("GET", "/usage?by=day,in_app_username");
    await call("GET", "/usage?format=csv");
    await call("GET", "/budgets?in_app_username=jo");
    await call("GET", "/operations");
    await call("GET", "/operations/video");
    await call("GET", "/catalogues");
    await call("GET", "/catalogues/video-templates?limit=3&search=a");
    await call("GET", "/partner");
    await call("GET", "/openapi.json");
    await call("GET", "/docs");
    await call("GET", "/docs.md");
    const { id: hook } = (await call("POST", "/webhooks", { url: webhook.url })) as { id: string };
    await call("GET", "/webhooks");
    await call("GET", `/webhooks/${hook}`);
    await call("PATCH", `/webhooks/${hook}`, { events: ["job.failed"] });
    await call("POST", `/webhooks/${hook}/rotate`);
    const { id: delivery } = (await call("POST", `/webhooks/${hook}/ping`)) as { id: string };
    await call("GET", `/deliveries?webhook=${hook}`);
    await call("POST", `/deliveries/${delivery}/resend`);
    await call("POST", "/callback-secret/rotate");
    await call("DELETE", `/webhooks/${hook}`);
    await call("DELETE", `/jobs/${id}`);
    await call("GET", "/users/jo/statements");
    await call("DELETE", "/users/jo/statements?statement=consent");
    await call("PUT", "/users/jo/block");
    await call("GET", "/users/jo/block");
    await call("DELETE", "/users/jo/block");
    await call("GET", "/users/jo/export");
    await call("DELETE", "/users/jo");

    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      ),
    );
    for (const one of all)
      expect(
        program.called.some((called) => one.test(called)),
        String(one),
      ).toBe(true);
  });
});
