import { streamSSE } from "hono/streaming";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { Backlog } from "../../../src/seam/surface/backlog.ts";

const EVENT = "x".repeat(1_000);

/** An event stream, and how many events it could write of those it was given. */
async function harness(events: number) {
  const app = new Hono();
  const seen = { written: 0, aborted: false };
  app.get("/", (c) =>
    streamSSE(c, async (stream) => {
      const backlog = new Backlog(() => stream.abort());
      stream.onAbort(() => void (seen.aborted = true));
      for (let n = 0; n < events; n++)
        backlog.add(EVENT.length, async () => {
          await stream.writeSSE({ id: String(n), data: EVENT });
          seen.written++;
        });
      await backlog.flushed();
    }),
  );
  return { seen, answer: await app.request("/") };
}

describe("events that wait for a client", () => {
  it("are written in their order, as it takes them", async () => {
    const { answer, seen } = await harness(1_000);
    const ids = [...(await answer.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(seen).toEqual({ written: 1_000, aborted: false });
  });

  it("are given up, with the stream, when too many wait", async () => {
    const { answer, seen } = await harness(1_100);
    expect(seen.aborted).toBe(true);
    expect((await answer.text()).length).toBeLessThan(10 * EVENT.length);
  });
});
