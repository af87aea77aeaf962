import { describe, expect, it } from "vitest";
import { receiver } from "../domain/webhooks/harness.ts";
import { Child } from "../support/crash-child.ts";
import { eventually } from "../support/eventually.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { callerAt } from "../support/test-mode.ts";
import { homeAt, tokenOf } from "./trial.ts";
import { PATIENCE_MS } from "../support/patience.ts";

describe("a job of a test token", { timeout: 3 * PATIENCE_MS }, () => {
  it("is gone on with where Reelay was killed, made once, and told once by webhook", async () => {
    await using sandbox = await testSandbox();
    await using hook = await receiver();
    const home = homeAt(sandbox, { REELAY_LOG_LEVEL: "info" });
    const token = await tokenOf(home, "--test");
    const image = await testPicture();
    const jobs = [];
    {
      using first = new Child(home);
      const caller = callerAt((await first.url) ?? "", token);
      for (const prompt of ["one", "two", "three"])
        jobs.push(await caller.accepted({ operation: "video", input: { image, prompt }, webhook: hook.url }));
      first.kill();
      await first.untilKilled();
    }
    using second = new Child(home);
    const caller = callerAt((await second.url) ?? "", token);
    for (const { id } of jobs)
      expect(await caller.ended(id)).toMatchObject({ status: "completed", livemode: false });
    await hook.atLeast(jobs.length);
    expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(jobs.length);
    expect((await sandbox.ledger()).submissions).toEqual([]);
    const lines = () => second.output.split("\n").filter((line) => line.includes('"A request was answered"'));
    const read = () => lines().filter((line) => line.includes('"route":"/v1/jobs/:id"'));
    // One for each request, by whoever answered it; the last comes after its answer.
    await eventually(() => expect(read()).toHaveLength(jobs.length));
    for (const line of read()) expect(line).toContain('"mode":"test"');
    expect(lines().filter((line) => line.includes('"route":"/v1/*"'))).toEqual([]);
    expect(second.output).not.toContain(token);
  });
});
