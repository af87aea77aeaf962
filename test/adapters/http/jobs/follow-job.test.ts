import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followJob } from "../../../../adapters/http/jobs/follow-job.ts";
import type { Events, JobEvent } from "../../../../src/seam/events.ts";

/** What happens to a job while nobody here hears of it: it is written, or the job erased. */
function elsewhere() {
  const written: JobEvent[] = [];
  let isKept = true;
  const events: Pick<Events, "since" | "follow" | "isKept"> = {
    since: async (_job, id) => written.filter((event) => event.id > id),
    follow: () => () => {},
    isKept: async () => isKept,
  };
  const write = (type: JobEvent["type"], data = {}) =>
    void written.push({ id: written.length + 1, job: "j1", type, data, at: 0 });
  const erase = () => void (isKept = false);
  return { events, write, erase };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("following a job of which nothing is heard", () => {
  it("hears each step once and ends with the job", async () => {
    const { events, write } = elsewhere();
    const heard: unknown[] = [];
    const over = vi.fn<() => void>();
    const { signal } = new AbortController();
    write("job.progress", { progress: 10 });
    void followJob(events, "j1", { signal, hear: ({ data }) => void heard.push(data) }).then(over);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(heard).toEqual([{ progress: 10 }]);
    write("job.progress", { progress: 60 });
    write("job.completed");
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(heard).toEqual([{ progress: 10 }, { progress: 60 }, {}]);
    expect(over).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when nobody waits any more", async () => {
    const { events } = elsewhere();
    const leaving = new AbortController();
    const waiting = followJob(events, "j1", { signal: leaving.signal, hear: async () => {} });
    await vi.advanceTimersByTimeAsync(2_000);
    leaving.abort();
    await expect(waiting).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when the job is deleted before its end was told", async () => {
    const { events, write, erase } = elsewhere();
    const over = vi.fn<() => void>();
    const { signal } = new AbortController();
    write("job.progress");
    void followJob(events, "j1", { signal }).then(over);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(over).not.toHaveBeenCalled();
    erase();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(over).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("says so when the events cannot be read", async () => {
    const { events } = elsewhere();
    const broken = { ...events, since: async () => Promise.reject(new Error("The disk is gone.")) };
    const { signal } = new AbortController();
    await expect(followJob(broken, "j1", { signal, hear: async () => {} })).rejects.toThrow(
      "The disk is gone.",
    );
  });
});
