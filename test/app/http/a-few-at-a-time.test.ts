import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aFewAtATime } from "../../../src/app/http/a-few-at-a-time.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setImmediate"] }));
afterEach(() => vi.useRealTimers());

describe("requests that come at once", () => {
  it("are begun in the order in which they came, a few in a turn of the event loop", () => {
    const begun: number[] = [];
    const listener = aFewAtATime((request: number) => begun.push(request));
    for (let nth = 0; nth < 40; nth += 1) listener(nth, { closed: false });
    expect(begun).toEqual([]);
    for (const count of [16, 32, 40]) {
      vi.advanceTimersToNextTimer();
      expect(begun).toEqual(Array.from({ length: count }, (_, nth) => nth));
    }
    listener(40, { closed: false });
    vi.advanceTimersToNextTimer();
    expect(begun.at(-1)).toBe(40);
  });

  it("are not worked on for whoever has gone meanwhile", () => {
    const begun: string[] = [];
    const listener = aFewAtATime((request: string) => begun.push(request));
    const gone = { closed: false };
    listener("gone", gone);
    listener("there", { closed: false });
    gone.closed = true;
    vi.advanceTimersToNextTimer();
    expect(begun).toEqual(["there"]);
  });
});
