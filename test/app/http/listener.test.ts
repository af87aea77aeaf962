import { describe, expect, it } from "vitest";
import { HttpListener } from "../../../src/app/http/listener.ts";
import { createServer } from "../../../src/app/server.ts";

/** A server behind a listener that says a word, and what the caller mounts. */
function behind(listener: HttpListener, word: string) {
  const server = createServer(async () => [], { listener });
  server.routes.get("/word", (c) => c.text(word));
  return server;
}

describe("what listens", () => {
  it("lets whoever comes meanwhile wait for what is opened next, at the same address", async () => {
    const listener = new HttpListener();
    const first = behind(listener, "first");
    const url = await first.listen("127.0.0.1", 0);
    expect(await (await fetch(`${url}/word`)).text()).toBe("first");
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
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.routes.get("/slow", async (c) => {
      begun.resolve();
      await goOn.promise;
      return c.text("whole");
    });
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
});
