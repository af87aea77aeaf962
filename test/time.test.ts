import { fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { afterAwake, atMost, persist, repeat, sleep, timeoutAwake, within } from "../src/common/time.ts";

/** Stands still: the clock goes on, and what is due comes after it. */
const standStill = (ms: number) => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
};

/** Does nothing until it is to end, and says why it was. */
const work = (signal: AbortSignal) => once(signal, "abort").then(() => Promise.reject(signal.reason));

/** A signal, and what gives it. */
function controller() {
  const one = new AbortController();
  return { signal: one.signal, abort: (reason: string) => one.abort(reason) };
}

describe("what is waited for while this process runs", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  afterEach(() => void vi.restoreAllMocks());

  it("ends when its time is over", async () => {
    const then = vi.fn<() => void>();
    afterAwake(8_000, then);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(then).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(then).toHaveBeenCalledOnce();
  });

  it("does not end because it stood still, however long", async () => {
    const timeout = timeoutAwake(8_000);
    await vi.advanceTimersByTimeAsync(7_500);
    standStill(3_600_000);
    await vi.advanceTimersByTimeAsync(500);
    expect(timeout.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(timeout.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("is no longer waited for once it has come", async () => {
    const come = sleep(100);
    const waited = atMost(8_000, come);
    await vi.advanceTimersByTimeAsync(100);
    expect(await waited).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    const never = atMost(8_000, new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await never).toBe(false);
  });

  it("leaves nothing behind of what was done within it", async () => {
    const { signal } = new AbortController();
    const left = vi.spyOn(signal, "removeEventListener");
    expect(await within(8_000, async () => "done", signal)).toBe("done");
    await expect(within(8_000, () => Promise.reject(new Error("down")), signal)).rejects.toThrow("down");
    expect(vi.getTimerCount()).toBe(0);
    expect(left).toHaveBeenCalledTimes(2);
  });

  it("ends what is done too long, or when the other signal says so, with the reason", async () => {
    const other = new AbortController();
    const reasons = [within(8_000, work), within(8_000, work, other.signal)].map((end) =>
      end.catch((reason: unknown) => reason),
    );
    other.abort("stop");
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await Promise.all(reasons)).toMatchObject([{ name: "TimeoutError" }, "stop"]);
    await expect(within(8_000, work, other.signal)).rejects.toBe("stop");
  });
});

describe("a wait", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("ends as soon as its signal says so, with the reason, and leaves nothing behind", async () => {
    const { abort, signal } = controller();
    const left = vi.spyOn(signal, "removeEventListener");
    const end = sleep(1_000, signal).catch((reason: unknown) => reason);
    abort("stop");
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await end).toBe("stop");
    expect(left).toHaveBeenCalledOnce();
    const none = sleep(0, signal).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(await none).toBe("stop");
  });

  it("of less than nothing is none", async () => {
    const then = vi.fn<() => void>();
    void sleep(-5).then(then);
    await vi.advanceTimersByTimeAsync(0);
    expect(then).toHaveBeenCalledOnce();
  });

  it("after a failure is twice as long each time, up to half a minute, or as long as the other side wants", async () => {
    const { abort, signal } = controller();
    const pauses: number[] = [];
    let wanted: number | undefined;
    const end = persist(() => Promise.reject(new Error("down")), {
      signal,
      onFailure: (_error, pauseMs) => void pauses.push(pauseMs),
      pauseOf: () => wanted,
    }).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(500 + 1_000 + 2_000 + 4_000 + 8_000 + 16_000 + 30_000);
    wanted = 0;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(pauses.slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 0]);
    abort("stop");
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toBe("stop");
  });

  it("is over with the first success; what is repeated goes on until its signal says so", async () => {
    const { abort, signal } = controller();
    const onFailure = vi.fn<(error: unknown, pauseMs: number) => void>();
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      if (tries % 3 !== 0) throw new Error("down");
      if (tries === 9) abort("stop");
      return "done";
    };
    const once = persist(attempt, { signal, onFailure });
    await vi.advanceTimersByTimeAsync(500 + 1_000);
    expect([await once, tries]).toEqual(["done", 3]);
    const again = repeat(() => attempt().then(() => undefined), { signal, onFailure });
    await vi.advanceTimersByTimeAsync(2 * (500 + 1_000));
    await again;
    expect([tries, onFailure.mock.calls.length]).toEqual([9, 6]);
    await expect(persist(() => Promise.reject(new Error("down")), { signal, onFailure })).rejects.toBe(
      "stop",
    );
    expect(onFailure).toHaveBeenCalledTimes(6);
  });
});

describe("time that never goes back", () => {
  const HOUR_MS = 3_600_000;
  beforeEach(() => {
    vi.resetModules();
    vi.useFakeTimers({ toFake: ["Date"], now: 10 * HOUR_MS });
  });
  afterEach(() => void vi.useRealTimers());

  it("is the machine's until that is set back, and goes on from there", async () => {
    const { setBackBy, steady } = await import("../src/common/time.ts");
    expect([steady(), setBackBy()]).toEqual([10 * HOUR_MS, 0]);
    vi.setSystemTime(11 * HOUR_MS);
    expect([steady(), setBackBy()]).toEqual([11 * HOUR_MS, 0]);
    vi.setSystemTime(9 * HOUR_MS);
    expect([steady(), setBackBy()]).toEqual([11 * HOUR_MS, 2 * HOUR_MS]);
    vi.setSystemTime(9 * HOUR_MS + 1);
    expect([steady(), setBackBy()]).toEqual([11 * HOUR_MS + 1, 2 * HOUR_MS]);
  });

  it("stays ahead where it is set back again, or right", async () => {
    const { setBackBy, steady } = await import("../src/common/time.ts");
    steady();
    vi.setSystemTime(9 * HOUR_MS);
    expect(setBackBy()).toBe(HOUR_MS);
    vi.setSystemTime(7 * HOUR_MS);
    expect([setBackBy(), steady()]).toEqual([3 * HOUR_MS, 10 * HOUR_MS]);
    vi.setSystemTime(10 * HOUR_MS);
    expect([steady(), setBackBy()]).toEqual([13 * HOUR_MS, 3 * HOUR_MS]);
  });
});

it("a process that was stopped hears what came meanwhile before its patience ends", async () => {
  const child = fork(new URL("support/waiting-child.ts", import.meta.url), {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  child.send("the word");
  await sleep(3_000);
  child.kill("SIGCONT");
  expect(await once(child, "message")).toEqual(["the word", undefined]);
});
