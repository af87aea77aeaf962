import { afterEach, describe, expect, it, vi } from "vitest";
import { copyRenderer, type Renderer } from "../../src/sandbox/sandbox.ts";
import { testSandbox, tinyClip } from "../support/sandbox.ts";
import { caller, read, submit } from "./call.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);

afterEach(() => void vi.useRealTimers());

describe("the job record (section 2.4)", () => {
  it("goes from SUBMITTED or IN_PROGRESS, with progress that never falls, to COMPLETED", async () => {
    // What a job takes by the sandbox's clock is looked at, not what this machine takes for it.
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    const rendered = Promise.withResolvers<void>();
    const copy = copyRenderer(tinyClip());
    const render: Renderer = (...task) => copy(...task).then(rendered.resolve);
    await using sandbox = await testSandbox({ timeScale: 0.2, render });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job_id = await submit(call, { orientation: "square", lora_template: "confetti" });
    const first = await read(call, job_id);
    expect(["SUBMITTED", "IN_PROGRESS"]).toContain(first.status);
    expect(first).toMatchObject({
      job_id,
      type: "video",
      prompt: "slow zoom",
      lora_template: "confetti",
      sub_template: null,
      orientation: "square",
      width: 768,
      height: 768,
      result_type: "url",
      token_cost: 2.7,
      error_message: null,
      completed_at: null,
    });
    await rendered.promise;
    const seen = new Set<number>();
    let last = 0;
    for (;;) {
      const { progress, status } = await read(call, job_id);
      expect(progress).toBeGreaterThanOrEqual(last);
      last = progress;
      seen.add(last);
      if (status === "COMPLETED") break;
      // Forty times at most: 120 reads are let through in a window (section 8.1).
      vi.advanceTimersByTime(100);
    }
    expect(seen.size).toBeGreaterThan(4);
    const record = await read(call, job_id);
    const url = `${new URL(sandbox.url).origin}/results/${job_id}.mp4`;
    expect(record).toEqual({
      job_id,
      type: "video",
      status: "COMPLETED",
      progress: 100,
      created_at: timestamp,
      started_at: timestamp,
      completed_at: timestamp,
      error_message: null,
      token_cost: 2.7,
      video_url: url,
      result_urls: [url],
    });
    const took = Date.parse(`${record.completed_at}Z`) - Date.parse(`${record.created_at}Z`);
    for (const alias of [`/job/${job_id}/status`, `/video-audio/job/${job_id}`])
      expect((await call("GET", alias)).body).toEqual(record);
    expect(took).toBeGreaterThanOrEqual(8 * 200);
    expect(took).toBeLessThan(20 * 200 + 500);
  });
});
