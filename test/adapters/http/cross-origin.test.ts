import { describe, expect, it } from "vitest";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const SHOP = "https://shop.example";
const OTHER = "https://other.example";

/** What a browser asks before a page may call. */
const asked = (gateway: TestGateway, origin: string, path = "/jobs") =>
  fetch(`${gateway.url}/v1${path}`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,idempotency-key",
    },
  });

const listOf = (header: string | null) => (header ?? "").toLowerCase().split(/, */);

describe("a page of a partner's", () => {
  it("is let call from the partner's origins, each exactly, and nothing else is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await gateway.join("shop", { origins: [SHOP, "http://localhost:5173"] });
    await gateway.join("none");
    const allowed = await asked(gateway, SHOP);
    expect([allowed.status, await allowed.text()]).toEqual([204, ""]);
    const { headers } = allowed;
    expect(headers.get("access-control-allow-origin")).toBe(SHOP);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(listOf(headers.get("vary"))).toContain("origin");
    expect(listOf(headers.get("access-control-allow-methods"))).toEqual(
      expect.arrayContaining(["get", "post", "put", "patch", "delete"]),
    );
    expect(listOf(headers.get("access-control-allow-headers"))).toEqual(
      expect.arrayContaining(["authorization", "content-type", "idempotency-key", "if-none-match", "prefer"]),
    );
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
    const strangers = [
      OTHER,
      `${SHOP}.evil.example`,
      `${SHOP}:8443`,
      "http://shop.example",
      "https://evil-shop.example",
      "null",
      "",
    ];
    for (const origin of strangers) {
      const refused = await asked(gateway, origin);
      expect(refused.headers.get("access-control-allow-origin"), origin).toBeNull();
      expect(listOf(refused.headers.get("vary")), origin).toContain("origin");
    }
  });

  it("reads what it is answered, with the headers that a program needs: refusals, and what has not changed, too", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const shop = await gateway.join("shop", { origins: [SHOP] });
    const first = await shop.call("/jobs", { headers: { origin: SHOP } });
    await first.text();
    const tag = first.headers.get("etag") ?? "";
    const answers = [
      first,
      await shop.call("/jobs", { headers: { origin: SHOP, "if-none-match": tag } }),
      await shop.call("/jobs/none", { headers: { origin: SHOP } }),
      await shop.call("/operations", { headers: { origin: SHOP, authorization: "Bearer wrong" } }),
      await shop.call("/openapi.json", { headers: { origin: SHOP } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 401, 200]);
    for (const { headers, status } of answers) {
      expect(headers.get("access-control-allow-origin"), String(status)).toBe(SHOP);
      expect(listOf(headers.get("vary")), String(status)).toContain("origin");
      expect(listOf(headers.get("access-control-expose-headers")), String(status)).toEqual(
        expect.arrayContaining(["etag", "location", "ratelimit", "retry-after", "x-request-id"]),
      );
    }
    // Whoever keeps answers must not give one that was for nobody's page to a page.
    const plain = await shop.call("/jobs");
    expect(plain.headers.get("access-control-allow-origin")).toBeNull();
    expect(listOf(plain.headers.get("vary"))).toContain("origin");
  });

  it("is refused with another partner's token, and told why", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await gateway.join("shop", { origins: [SHOP] });
    const other = await gateway.join("other", { origins: [OTHER] });
    const job = { operation: "image", input: { prompt: "a cat" } };
    const refused = await other.submit(job, { origin: SHOP });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "origin_refused" });
    expect(await (await other.call("/jobs")).json()).toMatchObject({ data: [] });
    expect((await other.submit(job, { origin: OTHER })).status).toBe(202);
    // A program may say what it likes: no browser speaks for anybody's page.
    expect((await other.submit(job, { origin: "https://nobody.example" })).status).toBe(202);
  });

  it("is let call no more once the origin is taken away, as the partner reads", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const shop = await gateway.join("shop", { origins: [SHOP] });
    expect(await (await shop.call("/partner")).json()).toMatchObject({ origins: [SHOP] });
    await gateway.partners.set("shop", { requestsPerMinute: 5_000 });
    expect((await asked(gateway, SHOP)).headers.get("access-control-allow-origin")).toBe(SHOP);
    await gateway.partners.set("shop", { origins: [] });
    expect((await asked(gateway, SHOP)).headers.get("access-control-allow-origin")).toBeNull();
    expect(await (await shop.call("/partner")).json()).toMatchObject({ origins: [] });
  });

  it("leaves OPTIONS what it is where no browser asks: a method that there is not", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { status, headers } = await fetch(`${gateway.url}/v1/jobs`, { method: "OPTIONS" });
    expect([status, headers.get("allow")]).toEqual([405, "POST, GET, HEAD"]);
  });
});
