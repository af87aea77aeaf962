import { describe, expect, it } from "vitest";
import type { Readiness } from "../../src/app/readiness.ts";
import { createServer } from "../../src/app/server.ts";

/** A server with something that may not be ready, on a free port. */
async function running(readiness: () => readonly Readiness[]) {
  const server = createServer(async () => readiness());
  server.routes.get("/hello", (context) => context.text("hello"));
  const url = await server.listen("127.0.0.1", 0);
  return { url, server, [Symbol.asyncDispose]: () => server.stop() };
}

describe("the server", () => {
  it.each(["/hello", "/healthz"])(
    "says of %s which methods it has, where it is called by another",
    async (path) => {
      await using site = await running(() => []);
      for (const method of ["PUT", "POST", "DELETE"]) {
        const refused = await fetch(site.url + path, { method });
        expect(refused.status).toBe(405);
        expect(refused.headers.get("allow")).toBe("GET, HEAD");
        expect(refused.headers.get("content-type")).toContain("application/problem+json");
        expect(await refused.json()).toMatchObject({ status: 405, code: "method_unknown" });
      }
      const read = await fetch(site.url + path, {
        method: "PUT",
        headers: { accept: "text/html", "accept-language": "de" },
      });
      expect(await read.text()).toContain("GET, HEAD");
      expect((await fetch(`${site.url}/nothing`, { method: "PUT" })).status).toBe(404);
      expect((await fetch(`${site.url}/nothing`)).status).toBe(404);
      expect((await fetch(site.url + path, { method: "HEAD" })).status).toBe(200);
    },
  );

  it("says that it lives, and whether it can work", async () => {
    const state = { storage: false, web: false, service: false };
    await using site = await running(() => [
      { name: "storage", ok: state.storage },
      { name: "web", ok: state.web },
      { name: "service", ok: state.service, optional: true },
    ]);
    const checks = () => [
      { name: "storage", ok: state.storage, needed: true },
      { name: "web", ok: state.web, needed: true },
      { name: "service", ok: state.service, needed: false },
    ];
    expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
    const unready = await fetch(`${site.url}/readyz`);
    expect(unready.status).toBe(503);
    expect(await unready.json()).toEqual({
      status: "unready",
      waiting: ["storage", "web"],
      checks: checks(),
    });
    // It is asked about, and goes on without it.
    Object.assign(state, { storage: true, web: true });
    const ready = await fetch(`${site.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: "ready", checks: checks() });
  });

  it("serves what adapters mount, until it is stopped", async () => {
    await using site = await running(() => []);
    expect(await (await fetch(`${site.url}/hello`)).text()).toBe("hello");
    await site.server.stop();
    await expect(fetch(`${site.url}/hello`)).rejects.toThrow("fetch failed");
    await site.server.stop();
  });

  it("says so when its port is taken", async () => {
    await using site = await running(() => []);
    const second = createServer(async () => []);
    await expect(second.listen("127.0.0.1", Number(new URL(site.url).port))).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });
});
