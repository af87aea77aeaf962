import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { askNumbers } from "../../../../adapters/discord/gateway/shard-numbers.ts";

/** A process that answers what it is sent. */
function aProcess(answers: (sent: unknown, tell: (message: unknown) => void) => void, isConnected = true) {
  const child = new EventEmitter();
  return Object.assign(child, {
    connected: isConnected,
    send(sent: unknown, done: (error: Error | null) => void) {
      done(null);
      answers(sent, (message) => child.emit("message", message));
      return true;
    },
  }) as unknown as Parameters<typeof askNumbers>[0] & EventEmitter;
}

it("hears the numbers among whatever else a shard says, and no longer than for them", async () => {
  const child = aProcess((_sent, tell) => {
    tell({ _ready: true });
    tell({ reelay: "numbers", numbers: [{ name: "reelay_jobs" }] });
  });
  expect(await askNumbers(child)).toEqual([{ name: "reelay_jobs" }]);
  expect(child.listenerCount("message")).toBe(0);
});

it("waits for nobody who is gone, or whom nothing reaches any more", async () => {
  expect(await askNumbers(aProcess(() => {}, false))).toBeUndefined();
  const ended = Object.assign(
    aProcess(() => {}),
    {
      send: (_sent: unknown, done: (error: Error | null) => void) => (done(new Error("EPIPE")), false),
    },
  );
  expect(await askNumbers(ended)).toBeUndefined();
});
