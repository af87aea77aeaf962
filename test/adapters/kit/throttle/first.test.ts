import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ToldPauses } from "../../../../adapters/kit/throttle/told-pauses.ts";
import { Throttler } from "../../../../adapters/kit/throttle/throttler.ts";

const [ANN, BOB] = ["49", "48"];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const throttler = () =>
  new Throttler({
    overall: { most: 80, ms: 1_000 },
    inChat: () => [
      { most: 1, ms: 0 },
      { most: 10, ms: 60_000 },
    ],
    keptForFirst: 0.2,
    longMs: 30_000,
  });

it("keeps some of a chat's rate for what goes first, which overtakes what waits there", async () => {
  const pace = throttler();
  const sent: string[] = [];
  const send = async (name: string, isFirst: boolean, chat = ANN) => {
    const answered = await pace.turn({ chat, messages: 1, since: performance.now(), isFirst });
    sent.push(name);
    answered();
  };
  const all = Array.from({ length: 9 }, (_, nth) => send(`word ${nth}`, false));
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toHaveLength(8);
  expect(pace.pauseToTell(ANN)).toBeGreaterThan(59_000);
  expect(pace.pauseToTell(ANN)).toBeUndefined();
  expect(pace.pauseToTell(BOB)).toBeUndefined();
  all.push(...["one", "two", "three"].map((name) => send(name, true)));
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.slice(8)).toEqual(["one", "two"]);
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(sent.slice(10)).toEqual(["three", "word 8"]);
});

it("says a pause once, and one that ends much later again", () => {
  const pauses = new ToldPauses(60_000);
  expect(pauses.news(ANN, 59_000)).toBeUndefined();
  expect(pauses.news(ANN, 200_000)).toBe(200_000);
  vi.advanceTimersByTime(30_000);
  expect(pauses.news(ANN, 180_000)).toBeUndefined();
  expect(pauses.news(BOB, 180_000)).toBe(180_000);
  vi.advanceTimersByTime(170_000);
  expect(pauses.news(ANN, 100_000)).toBe(100_000);
});
