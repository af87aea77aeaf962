import type { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { waste } from "../../../src/domain/webhooks/attempt.ts";

/** An answer of chunks of these sizes, that then goes on for as long as it is wanted; and what became of it. */
function body(sizes: readonly number[], goesOn = false) {
  const ended = Promise.withResolvers<void>();
  const seen = { chunks: 0, destroyed: false };
  const readable = {
    async *[Symbol.asyncIterator]() {
      for (const size of sizes) {
        seen.chunks += 1;
        yield Buffer.alloc(size);
      }
      if (goesOn) await ended.promise;
    },
    destroy() {
      seen.destroyed = true;
      ended.reject(new Error("destroyed"));
    },
  };
  return { readable: readable as unknown as Readable, seen };
}

const MOST = 64 * 1024;

describe("an answer to a webhook", () => {
  it.each([
    [[10, 20, 30], 3],
    [[MOST - 1, 1, 1, 1], 2],
    [[MOST, 1], 1],
    [[MOST - 2, 1, 1, 1], 3],
  ])("is read up to 64 KiB: of chunks of %j bytes so many: %i", async (sizes, chunks) => {
    const { readable, seen } = body(sizes);
    await waste(readable);
    expect(seen.chunks).toBe(chunks);
  });

  it("is read for a second at most", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const slow = body([1], true);
    const wasted = waste(slow.readable);
    await vi.advanceTimersByTimeAsync(999);
    expect(slow.seen.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await wasted;
    expect(slow.seen.destroyed).toBe(true);
    const quick = body([1]);
    await waste(quick.readable);
    expect(vi.getTimerCount()).toBe(0);
  });
});
