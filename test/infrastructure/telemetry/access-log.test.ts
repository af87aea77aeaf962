import { Hono } from "hono";
import { expect, it } from "vitest";
import { tellFailure } from "../../../src/infrastructure/telemetry/access-log.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";

it.each([
  ["waits for its answer", { closed: false, writableFinished: false }, "error"],
  ["has it", { closed: true, writableFinished: true }, "error"],
  ["has gone", { closed: true, writableFinished: false }, "warn"],
])("what nobody expects of a request whose client %s is logged", async (_, outgoing, level) => {
  const lines: string[] = [];
  const log = makeLogger({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  const app = new Hono();
  app.get("/", (c) => {
    c.set("request", "r-1");
    throw new Error("driver has already been destroyed");
  });
  app.onError((err, c) => {
    tellFailure(log, c, err, "A request failed");
    return c.text("sorry", 500);
  });
  await app.request("/", {}, { outgoing });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level, request: "r-1", msg: "A request failed", err: { message: "driver has already been destroyed" } },
  ]);
});
