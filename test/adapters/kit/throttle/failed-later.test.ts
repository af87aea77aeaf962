import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { restingLonger, Throttler } from "../../../../adapters/kit/throttle/throttler.ts";

const [ANN, BOB, CAT] = ["49", "48", "47"];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A platform that is too fast for one chat, or for all: the error is who. */
function platform() {
  const throttler = new Throttler({
    overall: { most: 80, ms: 1_000 },
    inChat: () => [],
    restAfter: restingLonger((error) => (error === "all" || error === "chat" ? error : undefined), 1_000),
  });
  const sent: string[] = [];
  return {
    throttler,
    sent,
    send: (chat: string) => void throttler.run({ chat, messages: 1 }, async () => sent.push(chat)),
  };
}

it("what is told later to have failed in some chats lets those rest, and nobody else", async () => {
  const { throttler, sent, send } = platform();
  for (const chat of [ANN, BOB]) throttler.failedLater(chat, "chat");
  for (const chat of [ANN, BOB, CAT]) send(chat);
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toEqual([CAT]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([CAT, ANN, BOB]);
});

it("they rest longer each time, until nothing fails for ten minutes", async () => {
  const { throttler, sent, send } = platform();
  for (let nth = 0; nth < 2; nth += 1) throttler.failedLater(ANN, "chat");
  send(ANN);
  await vi.advanceTimersByTimeAsync(3_900);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toEqual([ANN]);
  await vi.advanceTimersByTimeAsync(600_000);
  throttler.failedLater(ANN, "chat");
  send(ANN);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(sent).toEqual([ANN, ANN]);
});

it("all rest where all were too fast, and nobody where it does not pass", async () => {
  const { throttler, sent, send } = platform();
  throttler.failedLater(ANN, "refused");
  send(ANN);
  await vi.advanceTimersByTimeAsync(10);
  throttler.failedLater(ANN, "all");
  send(BOB);
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toEqual([ANN]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toEqual([ANN, BOB]);
});
