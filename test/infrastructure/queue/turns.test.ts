import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ByteLimiter } from "../../../src/infrastructure/queue/byte-limiter.ts";
import { Turns } from "../../../src/infrastructure/queue/turns.ts";

describe("while the machine's clock is set back", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    [
      "turns",
      () => {
        const turns = new Turns(1);
        return <T>(task: () => Promise<T>) => turns.run(task);
      },
    ],
    [
      "tasks that hold bytes",
      () => {
        const limiter = new ByteLimiter({ all: 10, each: 5 });
        return <T>(task: () => Promise<T>) => limiter.run("ann", 5, task);
      },
    ],
  ])("%s come as ever", async (_, open) => {
    const run = open();
    expect(await run(async () => "before")).toBe("before");
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await run(async () => "after")).toBe("after");
  });
});
