import { describe, expect, it } from "vitest";
import { openGateway } from "../../support/gateway.ts";
import { drawn, KEY_SHAPES } from "../../support/keys.ts";
import { contentsOf, holding } from "../../support/leaks.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";

describe("a key that a partner's program passes on as something else", () => {
  it("is refused wherever it stands, and kept nowhere", async () => {
    await using sandbox = await testSandbox();
    // What is sent here breaks no schema, but the answers to it are looked at by hand.
    await using gateway = await openGateway(sandbox, { fetch });
    const image = await testPicture();
    const key = KEY_SHAPES["base62, 40"]?.(drawn("http")) ?? "";
    await expect(gateway.partners.add("Other", { key, scopes: ["jobs:write"] })).rejects.toMatchObject({
      code: "unauthorized",
    });
    const acme = await gateway.join("acme");
    const job = { operation: "video", input: { image, prompt: "slow zoom" } };
    const bodies: readonly object[] = [
      { ...job, input: { image, prompt: `zoom ${key}` } },
      { ...job, input: { image, prompt: `zoom ${key.slice(0, 9)}\n${key.slice(9)}` } },
      { ...job, input: { image, prompt: "zoom", negative_prompt: key } },
      { ...job, input: { image, prompt: "zoom", [key]: "1" } },
      { ...job, input: { image: `https://example.org/?key=${key}`, prompt: "zoom" } },
      { ...job, operation: key },
      { ...job, in_app_username: key },
      { ...job, platform: key },
      { ...job, metadata: { order: key } },
      { ...job, metadata: { [key]: "order" } },
      { ...job, webhook: { url: `https://example.org/${key}` } },
    ];
    for (const body of bodies) {
      const answer = await acme.submit(body);
      const text = await answer.text();
      expect(answer.status, text).toBe(422);
      expect(JSON.parse(text)).toMatchObject({ code: "key_in_words" });
      expect(text).not.toContain(key);
    }
    const form = new FormData();
    form.set("operation", "video");
    form.set("input.prompt", "zoom");
    form.set("input.image", new Blob([Buffer.from(image, "base64")], { type: "image/jpeg" }), `${key}.jpg`);
    const sent = await acme.call("/jobs", {
      method: "POST",
      body: form,
      headers: { "idempotency-key": key },
    });
    expect(sent.status).toBe(422);
    const quoted = await acme.call("/quotes", {
      method: "POST",
      body: JSON.stringify({ operation: "video", input: { image, prompt: key } }),
      headers: { "content-type": "application/json" },
    });
    expect(await quoted.json()).toMatchObject({ code: "key_in_words" });
    const hooked = await acme.call("/webhooks", {
      method: "POST",
      body: JSON.stringify({ url: `https://example.org/${key}` }),
      headers: { "content-type": "application/json" },
    });
    expect(await hooked.json()).toMatchObject({ code: "key_in_words" });
    expect(holding(key, [...(await contentsOf(gateway.data, sandbox.dir)), ...gateway.lines])).toEqual([]);
    const accepted = await acme.submit(job);
    expect(accepted.status).toBe(202);
  });

  it("knows its own tokens, too", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const acme = await gateway.join("acme");
    const body = { operation: "image", input: { prompt: `a cat, ${acme.token}` } };
    expect(await (await acme.submit(body)).json()).toMatchObject({ code: "key_in_words" });
    expect(holding(acme.token, [...(await contentsOf(gateway.data, sandbox.dir)), ...gateway.lines])).toEqual(
      [],
    );
  });
});
