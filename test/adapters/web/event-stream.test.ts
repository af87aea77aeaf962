import { Hono } from "hono";
import { expect, it } from "vitest";
import { EventStreams } from "../../../adapters/web/serving/event-stream.ts";

it("lets 64 windows follow, and has the first of more stay away for a while", async () => {
  const stop = new AbortController();
  const streams = new EventStreams(stop.signal, () => () => {});
  const app = new Hono();
  app.get("/events", (c) =>
    streams.open(
      c,
      "ann",
      async () => true,
      (send) => {
        send("history", "[]", false);
        return () => {};
      },
    ),
  );
  const windows = [];
  for (let nth = 0; nth < 66; nth++) windows.push(await app.request("/events"));
  const [first, second, ...others] = windows;
  if (!first || !second) throw new Error("There are no windows.");
  const ended = [await first.text(), await second.text()];
  for (const said of ended) {
    // How long a browser waits is what was said last.
    expect(said.match(/^retry: \d+$/gm)).toEqual(["retry: 3000", "retry: 600000"]);
  }
  stop.abort();
  for (const one of others) expect(await one.text()).not.toContain("retry: 600000");
});
