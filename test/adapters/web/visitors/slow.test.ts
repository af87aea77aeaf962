import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startSite, type Site } from "../support/site.ts";
import { APP, PUBLIC } from "../support/visitor.ts";

let site: Site;
beforeEach(async () => {
  site = await startSite({ env: PUBLIC });
});
afterEach(async () => {
  vi.useRealTimers();
  await site.close();
});

it.each([
  `${APP}/web/command/video`,
  `${APP}/web/media`,
  `${APP}/web/sign-in/link`,
  `${APP}/web/sign-in/telegram`,
  "/web/login",
  "/web/enter",
])("holds no line for a stranger whose request does not come to its end: %s", async (path) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { hostname, port, host, origin } = new URL(site.url);
  const line = connect(Number(port), hostname);
  let said = "";
  line.on("data", (chunk) => {
    said += chunk.toString();
  });
  // It is reset where what comes is read no more.
  line.on("error", () => {});
  await once(line, "connect");
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, "Content-Length: 100"];
  line.write([...head, "Content-Type: application/json", "", "{"].join("\r\n"));
  const began = Date.now();
  let waited = 0;
  while (!line.closed && waited < 30_000 && Date.now() - began < 20_000) {
    // A byte now and then keeps it no longer.
    if (line.writable) line.write(" ");
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    waited += 1_000;
  }
  const wasClosed = line.closed;
  line.destroy();
  expect(said).toMatch(/^HTTP\/1\.1 40[01]/);
  expect(wasClosed).toBe(true);
});
