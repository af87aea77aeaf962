import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProblemBody } from "../../../adapters/http/resources/problem.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Sends a text as the body of a job, whatever it is. */
async function send(partner: TestPartner, body: string): Promise<ProblemBody> {
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const answer = await partner.call("/jobs", { method: "POST", headers, body });
  return (await answer.json()) as ProblemBody;
}

/** So many fields that there are not, half of them of a kind that no field takes. */
const strangers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index % 2 ? {} : 0]));

describe("a request that is made to cost", () => {
  // What the documentation allows is compared elsewhere; this is meant to be otherwise.
  const fetch = globalThis.fetch;

  it("is told of a handful of thousands of wrong fields", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const acme = await gateway.join();
    const inside = await send(acme, JSON.stringify({ operation: "image", input: strangers(20_000) }));
    expect(inside).toMatchObject({ status: 422, errors: [{ field: "input" }] });
    const beside = await send(
      acme,
      JSON.stringify({ operation: "image", input: { prompt: "x" }, ...strangers(20_000) }),
    );
    expect(beside).toMatchObject({ status: 422, code: "field_unknown" });
    expect(beside.errors).toHaveLength(50);
  });

  it("has none of a thousand small files written where a field takes one", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const acme = await gateway.join();
    const image = Array.from({ length: 1_000 }, (_, index) => base64(`a file, the ${index}th`));
    // Whatever is written keeps its folder busy until it is erased again.
    const folder = join(gateway.data, "partners");
    let most = 0;
    const look = setInterval(
      () => void readdir(folder).then(({ length }) => (most = Math.max(most, length))),
      5,
    );
    const problem = await send(acme, JSON.stringify({ operation: "video", input: { image } }));
    clearInterval(look);
    expect(problem).toMatchObject({ status: 422, code: "too_many_files" });
    expect(most).toBe(0);
  });

  it("is refused where it is nested too deeply, in a form as in JSON", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const acme = await gateway.join();
    const deep = "[".repeat(30_000) + "]".repeat(30_000);
    const form = new FormData();
    for (const [name, text] of Object.entries({ operation: "image", prompt: "x", metadata: `{"a":${deep}}` }))
      form.append(name, text);
    const headers = { "idempotency-key": "deep" };
    const answer = await acme.call("/jobs", { method: "POST", headers, body: form });
    expect(await answer.json()).toMatchObject({ status: 422, errors: [{ field: "metadata" }] });
    const hook = await acme.call("/webhooks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"url":${deep}}`,
    });
    expect(await hook.json()).toMatchObject({ status: 400, code: "body_too_deep" });
  });

  it("keeps no address that is longer than addresses are", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const acme = await gateway.join();
    const image = `https://example.com/?${"-".repeat(400_000)}`;
    const problem = await send(acme, JSON.stringify({ operation: "video", input: { image } }));
    expect(problem).toMatchObject({
      status: 422,
      errors: [{ field: "input.image", code: "field_too_long" }],
    });
  });

  it("names each event once", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const acme = await gateway.join();
    const events = Array.from({ length: 20_000 }, () => "job.completed");
    const webhook = { url: "https://example.com/hook", events };
    const problem = await send(acme, JSON.stringify({ operation: "image", input: { prompt: "x" }, webhook }));
    expect(problem).toMatchObject({ status: 422, errors: [{ field: "webhook" }] });
  });
});
