import { describe, expect, it } from "vitest";
import { Door } from "../../../src/app/door/door.ts";
import { createServer } from "../../../src/app/server.ts";

/** A server behind a door that says a word, and what the caller mounts. */
function behind(door: Door, word: string) {
  const server = createServer(async () => [], { door });
  server.routes.get("/word", (c) => c.text(word));
  return server;
}

describe("a door", () => {
  it("lets whoever comes meanwhile wait for what is opened next, at the same address", async () => {
    const door = new Door();
    const first = behind(door, "first");
    const url = await first.listen("127.0.0.1", 0);
    expect(await (await fetch(`${url}/word`)).text()).toBe("first");
    await first.stop();
    const waiting = fetch(`${url}/word`);
    // One that failed to open changes nothing about that.
    await behind(door, "failed").stop();
    expect(await behind(door, "second").listen("127.0.0.1", 0)).toBe(url);
    expect(await (await waiting).text()).toBe("second");
    await door.close();
    await expect(fetch(`${url}/word`)).rejects.toThrow("fetch failed");
  });

  it("lets answers that are under way end, and cuts off what has no end", async () => {
    const door = new Door();
    const server = behind(door, "first");
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
    await door.close();
  });
});
