import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Superseded } from "../../../../adapters/kit/throttle/chat-queue.ts";
import { shownSoon } from "../../../../adapters/kit/throttle/shown-soon.ts";
import { restingLonger, Throttler } from "../../../../adapters/kit/throttle/throttler.ts";

const ANN = "49";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A platform that takes one message in ten seconds, and what was sent there. */
function platform() {
  const throttler = new Throttler({
    overall: { most: 80, ms: 1_000 },
    inChat: () => [{ most: 1, ms: 10_000 }],
    restAfter: restingLonger((error) => (error === "fast" ? "chat" : undefined), 1_000),
  });
  const sent: string[] = [];
  return {
    throttler,
    sent,
    send: (what: string, shows?: string, work: () => void = () => {}) =>
      throttler.run({ chat: ANN, messages: 1, shows }, async () => {
        work();
        sent.push(what);
      }),
  };
}

it("sends the newest alone of those that show the same, and whatever else waits", async () => {
  const { sent, send } = platform();
  await send("first", "form");
  const old = send("old", "form").catch((error: unknown) => error);
  const others = [send("word"), send("other", "other form"), send("new", "form")];
  expect(await old).toBeInstanceOf(Superseded);
  await vi.advanceTimersByTimeAsync(40_000);
  await Promise.all(others);
  expect(sent).toEqual(["first", "word", "other", "new"]);
});

it("does not send again what something newer waits in the place of", async () => {
  const { sent, send } = platform();
  let newer: Promise<unknown> | undefined;
  const old = send("old", "form", () => {
    vi.advanceTimersByTime(5);
    newer ??= send("new", "form");
    throw "fast" as unknown;
  });
  await expect(old).rejects.toThrow(Superseded);
  await vi.advanceTimersByTimeAsync(40_000);
  await newer;
  expect(sent).toEqual(["new"]);
});

it("sends nothing of what is over", async () => {
  const { throttler, sent, send } = platform();
  await send("first", "form");
  const waiting = send("page", "form").catch((error: unknown) => error);
  throttler.drop(ANN, "form");
  expect(await waiting).toBeInstanceOf(Superseded);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual(["first"]);
});

it("waits a moment for what is shown, for no failure of what is superseded, and hears of a later one", async () => {
  const heard: unknown[] = [];
  const log = pino({}, { write: (line) => void heard.push((JSON.parse(line) as { err: unknown }).err) });
  await shownSoon(log, Promise.reject(new Superseded()));
  await expect(shownSoon(log, Promise.reject(new Error("no")))).rejects.toThrow("no");
  const { promise, reject } = Promise.withResolvers<void>();
  const waited = shownSoon(log, promise);
  await vi.advanceTimersByTimeAsync(1_000);
  await waited;
  reject(new Error("later"));
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toMatchObject([{ message: "later" }]);
});
