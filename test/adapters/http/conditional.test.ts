import { describe, expect, it } from "vitest";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

describe("what is read again", () => {
  it("comes only if it changed, where it is said what is there already", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a cat" } });
    await acme.ended(id);
    for (const path of [
      `/jobs/${id}`,
      "/jobs",
      "/operations",
      "/operations/video",
      "/catalogues",
      "/partner",
      "/openapi.json",
    ]) {
      const first = await acme.call(path);
      // Of what came packed it is weak: another one packs it otherwise.
      const tag = (first.headers.get("etag") ?? "").replace(/^W\//, "");
      expect(tag, path).toMatch(/^"\w+"$/);
      await first.text();
      const again = await acme.call(path, { headers: { "if-none-match": `"other", W/${tag}` } });
      expect(again.status, path).toBe(304);
      expect(again.headers.get("etag")).toBe(tag);
      expect(again.headers.get("x-request-id")).toMatch(/\w/);
      expect(again.headers.has("ratelimit")).toBe(first.headers.has("ratelimit"));
      expect(await again.text()).toBe("");
      const other = await acme.call(path, { headers: { "if-none-match": '"other"' } });
      expect(other.status, path).toBe(200);
      await other.text();
    }
  });

  it("has another tag once it changed, and is nobody's without a token", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const before = await acme.call("/jobs");
    await before.text();
    const tag = before.headers.get("etag") ?? "";
    await acme.accepted({ operation: "image", input: { prompt: "a cat" } });
    const after = await acme.call("/jobs", { headers: { "if-none-match": tag } });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(tag);
    await after.text();
    const headers = { "if-none-match": tag, authorization: "Bearer none" };
    const stranger = await acme.call("/jobs", { headers });
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get("etag")).toBeNull();
  });
});
