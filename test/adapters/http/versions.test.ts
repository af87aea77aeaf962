import { describe, expect, it, vi } from "vitest";
import type { OpenApi } from "../../../adapters/http/openapi/model.ts";
import type * as About from "../../../adapters/http/routes/about.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const VERSION = "2026-11-26";

// No route is to go by now: one that is not is marked so here.
vi.mock("../../../adapters/http/routes/about.ts", async (original) => {
  const { aboutRoutes } = await original<typeof About>();
  const deprecated = { since: "2026-12-01", until: "2027-06-01", instead: "Use `GET /v1/jobs`." };
  return {
    aboutRoutes: (...parts: Parameters<typeof aboutRoutes>) =>
      aboutRoutes(...parts).map((route) => Object.assign(route, { deprecated })),
  };
});

describe("the version of the interface", () => {
  it("is said in every answer, and is the one that may be asked for", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const headers = { "reelay-version": VERSION };
    const first = await acme.call("/jobs", { headers });
    await first.text();
    const unchanged = { ...headers, "if-none-match": first.headers.get("etag") ?? "" };
    const answers = [
      first,
      await acme.call("/jobs", { headers: unchanged }),
      await acme.call("/jobs/none", { headers }),
      await acme.call("/jobs"),
      await acme.submit({ operation: "image", input: { prompt: "a cat" } }, headers),
      await fetch(`${gateway.url}/v1/jobs`),
      await fetch(`${gateway.url}/v1/openapi.json`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 200, 202, 401, 200]);
    for (const answer of answers) expect(answer.headers.get("reelay-version")).toBe(VERSION);
    for (const answer of answers) expect(answer.headers.get("deprecation")).toBeNull();
  });

  it("is told to whoever asks for another one, before anything is done", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const job = { operation: "image", input: { prompt: "a cat" } };
    for (const wanted of ["2026-11-25", "2027-01-01", "1", "latest"]) {
      const refused = await acme.submit(job, { "reelay-version": wanted });
      expect(refused.status, wanted).toBe(400);
      expect(refused.headers.get("reelay-version")).toBe(VERSION);
      expect(await refused.json()).toMatchObject({
        code: "version_unknown",
        retryable: false,
        detail: expect.stringContaining(VERSION),
      });
    }
    expect(await (await acme.call("/jobs")).json()).toMatchObject({ data: [] });
  });
});

describe("a route that is to go", () => {
  it("says so in each answer, and in the document, with what to use instead", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const first = await acme.call("/partner");
    await first.text();
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const answers = [
      first,
      await acme.call("/partner", { headers }),
      await fetch(`${gateway.url}/v1/partner`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 401]);
    for (const answer of answers) {
      expect(answer.headers.get("deprecation")).toBe(`@${Date.parse("2026-12-01T00:00:00Z") / 1_000}`);
      expect(answer.headers.get("sunset")).toBe("Tue, 01 Jun 2027 00:00:00 GMT");
      expect(answer.headers.get("link")).toContain('rel="deprecation"');
    }
    const document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
    const described = document.paths["/partner"]?.["get"];
    expect(described).toMatchObject({ deprecated: true });
    expect(described?.description).toContain("2027-06-01");
    expect(described?.description).toContain("Use `GET /v1/jobs`.");
    expect(described?.responses["200"]?.headers).toHaveProperty("Sunset");
    expect(document.paths["/jobs"]?.["get"]).not.toHaveProperty("deprecated");
  });
});
