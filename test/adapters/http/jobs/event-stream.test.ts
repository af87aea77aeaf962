import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import { eventStream } from "../../../../adapters/http/jobs/event-stream.ts";
import type { Events } from "../../../../src/seam/events.ts";

it("follows nothing where only its headers are asked for: nobody would read it, however long the job goes on", async () => {
  const follow = vi.fn<Events["follow"]>(() => () => {});
  const events = { since: async () => [], isKept: async () => true, follow } as unknown as Events;
  const end = new AbortController();
  const app = new Hono();
  app.get("/", (c) => eventStream(c, { job: "j1", events, ended: end.signal }));
  const typeOf = async (method: string) => {
    const answer = await app.request("/", { method });
    return answer.headers.get("content-type");
  };
  expect(await typeOf("HEAD")).toBe("text/event-stream");
  expect(follow).not.toHaveBeenCalled();
  expect(await typeOf("GET")).toBe("text/event-stream");
  expect(follow).toHaveBeenCalledOnce();
  end.abort();
});
