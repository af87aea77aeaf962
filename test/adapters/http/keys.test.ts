import { describe, expect, it } from "vitest";
import { openGateway } from "../../support/gateway.ts";
import { drawn, KEY_SHAPES } from "../../support/keys.ts";
import { connectTo } from "./mcp/harness.ts";
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
    const bodies: readonly [string, object][] = [
      ["input.prompt", { ...job, input: { image, prompt: `zoom ${key}` } }],
      ["input.prompt", { ...job, input: { image, prompt: `zoom ${key.slice(0, 9)}\n${key.slice(9)}` } }],
      ["input.negative_prompt", { ...job, input: { image, prompt: "zoom", negative_prompt: key } }],
      ["input", { ...job, input: { image, prompt: "zoom", [key]: "1" } }],
      ["input.image", { ...job, input: { image: `https://example.org/?key=${key}`, prompt: "zoom" } }],
      ["operation", { ...job, operation: key }],
      ["in_app_username", { ...job, in_app_username: key }],
      ["in_app_username", { ...job, in_app_username: key.toUpperCase() }],
      ["platform", { ...job, platform: key }],
      ["metadata.order", { ...job, metadata: { order: key } }],
      ["metadata", { ...job, metadata: { [key]: "order" } }],
      ["webhook.url", { ...job, webhook: { url: `https://example.org/${key}` } }],
    ];
    for (const [field, body] of bodies) {
      const answer = await acme.submit(body);
      const text = await answer.text();
      expect(answer.status, text).toBe(422);
      expect(JSON.parse(text)).toMatchObject({ code: "key_in_words", errors: [{ field }] });
      expect(text.toLowerCase()).not.toContain(key.toLowerCase());
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

  it("is no name of somebody in an address either: it is neither answered nor written down", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const key = KEY_SHAPES["base62, 40"]?.(drawn("path")) ?? "";
    await expect(gateway.partners.add("Other", { key, scopes: ["jobs:write"] })).rejects.toMatchObject({
      code: "unauthorized",
    });
    const acme = await gateway.join("acme");
    for (const [method, path] of [
      ["GET", "export"],
      ["GET", "statements"],
      ["DELETE", "statements"],
      ["GET", "block"],
      ["PUT", "block"],
      ["DELETE", "block"],
    ] as const)
      for (const name of [key, key.toUpperCase()]) {
        const answer = await acme.call(`/users/${name}/${path}`, { method });
        const text = await answer.text();
        expect([answer.status, JSON.parse(text)], path).toMatchObject([
          422,
          { code: "key_in_words", errors: [{ field: "path.username" }] },
        ]);
        expect(text.toLowerCase()).not.toContain(key.toLowerCase());
      }
    expect((await acme.call(`/users/${key}`, { method: "DELETE" })).status).toBe(200);
    for (const held of [key, key.toUpperCase()])
      expect(holding(held, [...(await contentsOf(gateway.data, sandbox.dir)), ...gateway.lines])).toEqual([]);
  });

  it("is no name of a partner, and nothing that their jobs count for", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const [known, unknown] = ["known", "unknown"].map(
      (name) => KEY_SHAPES["base62, 40"]?.(drawn(name)) ?? "",
    ) as [string, string];
    const { partners } = gateway;
    const scopes = ["jobs:write"] as const;
    await expect(partners.add("Other", { key: known, scopes })).rejects.toMatchObject({
      code: "unauthorized",
    });
    const inName = { code: "key_in_words", params: { field: "name" } };
    for (const name of [known, unknown, `shop ${known.toUpperCase()}`])
      await expect(partners.add(name, { scopes })).rejects.toMatchObject(inName);
    const inPlatform = { code: "key_in_words", params: { field: "platform" } };
    await expect(partners.add("Shop", { scopes, platform: known })).rejects.toMatchObject(inPlatform);
    await partners.add("Shop", { scopes });
    await expect(partners.set("shop", { platform: known })).rejects.toMatchObject(inPlatform);
    for (const held of [known, unknown])
      expect(holding(held, [...(await contentsOf(gateway.data)), ...gateway.lines])).toEqual([]);
  });

  it("is guessed by its looks, as on every surface, from a partner who has no key: over /v1 and from an agent", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const key = KEY_SHAPES["base62, 40"]?.(drawn("never entered")) ?? "";
    const acme = await gateway.join("acme");
    const job = { operation: "image", input: { prompt: `a cat ${key}` } };
    const quote = {
      method: "POST",
      body: JSON.stringify(job),
      headers: { "content-type": "application/json" },
    };
    const answers = [await acme.submit(job), await acme.call("/quotes", quote)];
    for (const answer of answers) {
      const text = await answer.text();
      expect(JSON.parse(text)).toMatchObject({ code: "key_in_words", errors: [{ field: "input.prompt" }] });
      expect(text).not.toContain(key);
    }
    const agent = await connectTo(gateway.url, acme.token);
    const told = JSON.stringify(await agent.callTool({ name: "image", arguments: job.input }));
    await agent.close();
    expect(told).toContain("key_in_words");
    expect(told).not.toContain(key);
    expect(holding(key, [...(await contentsOf(gateway.data, sandbox.dir)), ...gateway.lines])).toEqual([]);

    const other = await gateway.join("other", { key: sandbox.keys.pro });
    expect((await other.submit(job)).status).toBe(202);
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
