import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { bodyLimit } from "hono/body-limit";
import { describe, expect, it } from "vitest";
import { HttpListener } from "../../../src/app/http/listener.ts";
import { createServer, type HttpServer } from "../../../src/app/server.ts";

/** A server behind a listener that says a word, and what the caller mounts. */
function behind(listener: HttpListener, word: string) {
  const server = createServer(async () => [], { listener });
  server.routes.get("/word", (c) => c.text(word));
  return server;
}

/** Has it answer at `/slow` once it may. */
function answersSlowly({ routes }: Pick<HttpServer, "routes">) {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  routes.get("/slow", async (c) => {
    begun.resolve();
    await goOn.promise;
    return c.text("whole");
  });
  return { begun, goOn };
}

describe("what listens", () => {
  it("lets whoever comes meanwhile wait for what is opened next, at the same address", async () => {
    const listener = new HttpListener();
    const first = behind(listener, "first");
    const url = await first.listen("127.0.0.1", 0);
    const answer = await fetch(`${url}/word`);
    expect(await answer.text()).toBe("first");
    // Longer than proxies keep their lines.
    expect(answer.headers.get("keep-alive")).toBe("timeout=125");
    await first.stop();
    const waiting = fetch(`${url}/word`);
    // One that failed to open changes nothing about that.
    await behind(listener, "failed").stop();
    expect(await behind(listener, "second").listen("127.0.0.1", 0)).toBe(url);
    expect(await (await waiting).text()).toBe("second");
    await listener.close();
    await expect(fetch(`${url}/word`)).rejects.toThrow("fetch failed");
  });

  it("lets answers that are under way end, and cuts off what has no end", async () => {
    const listener = new HttpListener();
    const server = behind(listener, "first");
    const { begun, goOn } = answersSlowly(server);
    server.routes.get("/events", () => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from(": hello\n\n")),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const url = await server.listen("127.0.0.1", 0);
    const events = await fetch(`${url}/events`);
    const slow = fetch(`${url}/slow`).then((answer) => answer.text());
    await begun.promise;
    const stopped = server.stop();
    await expect(events.text()).rejects.toThrow("terminated");
    goOn.resolve();
    expect(await slow).toBe("whole");
    await stopped;
    await listener.close();
  });

  it("lets answers that are under way end when it closes, on lines that end with them, and nobody in", async () => {
    const listener = new HttpListener();
    const server = behind(listener, "first");
    const { begun, goOn } = answersSlowly(server);
    const url = await server.listen("127.0.0.1", 0);
    const slow = fetch(`${url}/slow`);
    await begun.promise;
    const closed = listener.close();
    await expect(fetch(`${url}/word`)).rejects.toThrow("fetch failed");
    goOn.resolve();
    const answer = await slow;
    expect(await answer.text()).toBe("whole");
    expect(answer.headers.get("connection")).toBe("close");
    await closed;
  });

  it.each([
    ["does not look at its body", "/untouched", true],
    ["looks whether there is one", "/touched", true],
    ["reads how long it is", "/limited", true],
    ["reads until it is too long", "/limited", false],
    ["reads the first of it", "/begun", true],
    ["wants no more of it", "/cancelled", true],
    ["answers at once", "/at-once", true],
  ])(
    "leaves the line to the next request where the one before is refused by what %s",
    async (_, path, says) => {
      const listener = new HttpListener();
      const server = behind(listener, "next");
      const { routes } = server;
      routes.post("/untouched", async (c) => c.text("no", 415));
      routes.post("/touched", async (c) => c.text(c.req.raw.body ? "no" : "", 415));
      routes.post("/limited", bodyLimit({ maxSize: 1_000 }));
      routes.post("/begun", async (c) => {
        await c.req.raw.body?.getReader().read();
        return c.text("no", 400);
      });
      routes.post("/cancelled", async (c) => {
        await c.req.raw.body?.cancel();
        return c.text("no", 400);
      });
      routes.post("/at-once", (c) => c.text("no", 415));
      const url = await server.listen("127.0.0.1", 0);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = async (to: string, method: string, body: Buffer, isSaid: boolean) => {
        const headers = isSaid
          ? { "content-length": String(body.length) }
          : { "transfer-encoding": "chunked" };
        const asked = request(`${url}${to}`, { method, agent, headers });
        asked.end(body);
        const [answer] = (await once(asked, "response")) as [IncomingMessage];
        return [answer.statusCode, await text(answer)];
      };
      const refused = ask(path, "POST", Buffer.alloc(600_000, 0xff), says);
      const next = ask("/word", "GET", Buffer.alloc(0), true);
      const [status] = await refused;
      expect(status).toBeGreaterThanOrEqual(400);
      expect(await next).toEqual([200, "next"]);
      agent.destroy();
      await listener.close();
    },
  );
});
