import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { type JobRecord, NO_OUTLOOK } from "../../../../src/seam/access/job-record.ts";
import { testFolder } from "../support/folder.ts";
import { progress, scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const RUN = ["run", "video", "--image", "photo.jpg", "--prompt", "x"];

const A_JOB: JobRecord = {
  id: "j1",
  user: "cli:me",
  operation: "video",
  values: {},
  tags: { platform: "cli", inAppUsername: "me" },
  mature: false,
  address: {},
  receipt: null,
  status: "running",
  phase: "running",
  progress: null,
  cost: null,
  problem: null,
  createdAt: 0,
  acceptedAt: null,
  endedAt: null,
  ...NO_OUTLOOK,
};

/** Waits for one that is, from the first look on, as it is given. */
async function waitFor(ended: Partial<JobRecord> | undefined) {
  const terminal = new Terminal({ cwd: await testFolder() });
  const { runtime } = scriptedRuntime({
    command: async (cli, origin) => void (await cli.deliver(origin.address, progress({ phase: "running" }))),
    async find() {
      if (ended === undefined) throw new ReelayError("not_found");
      return { ...A_JOB, ...ended };
    },
  });
  return { code: await runCli(RUN, runtime, terminal), terminal };
}

describe("a job that another process ended while this one stood still", () => {
  it("and saved ends the call well, with what to do for its files", async () => {
    const { code, terminal } = await waitFor({ status: "completed" });
    expect(code).toBe(EXIT.ok);
    expect(terminal.event("notice")).toMatchObject({ key: "cli.told_elsewhere", params: { job: "j1" } });
  });

  it("and that failed ends it as if it had been told here", async () => {
    const problem = { code: "job_failed", params: {} } as const;
    const { code, terminal } = await waitFor({ status: "failed", problem, cost: 0 });
    expect(code).toBe(EXIT.job);
    expect(terminal.event("problem")).toMatchObject({ code: "job_failed", job: "j1", charged: 0 });
  });

  it("and deleted ends it, too", async () => {
    const { code, terminal } = await waitFor(undefined);
    expect(code).toBe(EXIT.service);
    expect(terminal.event("problem")).toMatchObject({ code: "not_found", job: "j1", charged: null });
  });

  it("by cancelling it ends it with that", async () => {
    const { code, terminal } = await waitFor({ status: "cancelled" });
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("notice")).toMatchObject({ key: "job.cancelled" });
  });
});
