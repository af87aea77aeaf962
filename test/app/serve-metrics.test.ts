import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { serveMetrics } from "../../src/app/serve-metrics.ts";
import { createServer } from "../../src/app/server.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { testDatabase } from "../support/database.ts";
import { readMetrics } from "../support/metrics.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const TOKEN = "a-token-for-numbers";

/** A server with numbers, and what it logged. */
async function serving(access: Parameters<typeof serveMetrics>[0]) {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
  const server = createServer(async () => []);
  const metrics = serveMetrics(access, {
    database,
    platforms: () => [],
    egresses: () => [],
    budgets: () => ({}),
    routes: server.routes,
    host: "127.0.0.1",
    log: makeLogger({ level: "info", destination }),
  });
  await metrics.listen();
  const url = await server.listen("127.0.0.1", 0);
  const own = lines.map((line) => (JSON.parse(line) as { url?: string }).url).find(Boolean);
  return {
    url,
    own,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await metrics.stop();
      await database.close();
    },
  };
}

const show = (authorization: string) => ({ headers: { authorization } });

describe("the route of numbers", () => {
  it("answers whoever shows the token, and nobody else", async () => {
    await using site = await serving({ token: TOKEN, port: undefined });
    const refused = await Promise.all([
      fetch(`${site.url}/metrics`),
      fetch(`${site.url}/metrics`, show("Bearer another-token-for-it")),
      fetch(`${site.url}/metrics`, show(`Basic ${btoa(`x:${TOKEN}`)}`)),
      fetch(`${site.url}/metrics?token=${TOKEN}`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 400, 401]);
    for (const answer of refused) expect(await answer.text()).not.toContain("reelay_");
    const answer = await fetch(`${site.url}/metrics`, show(`Bearer ${TOKEN}`));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    );
    expect(readMetrics(await answer.text()).size).toBeGreaterThan(10);
    expect(site.own).toBeUndefined();
  });

  it("is at a port of its own alone where it has one", async () => {
    await using site = await serving({ token: undefined, port: 0 });
    expect((await fetch(`${site.url}/metrics`)).status).toBe(404);
    expect(site.own).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(readMetrics(await (await fetch(site.own ?? "")).text()).size).toBeGreaterThan(10);
  });

  it("asks for the token there, too", async () => {
    await using site = await serving({ token: TOKEN, port: 0 });
    expect((await fetch(site.own ?? "")).status).toBe(401);
    expect((await fetch(site.own ?? "", show(`Bearer ${TOKEN}`))).status).toBe(200);
  });
});
