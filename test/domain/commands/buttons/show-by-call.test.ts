import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ReelayError } from "../../../../src/common/errors.ts";
import type { Sandbox } from "../../../../src/sandbox/sandbox.ts";
import { type TestCore, testCore } from "../../../support/core.ts";
import { temporaryFolder, testSandbox } from "../../../support/sandbox.ts";
import { MemorySurface, person } from "../../../support/surface.ts";
import { lastSaid } from "../../reports/harness.ts";

const me = person("me", "cli");

/** Calls of the command line over one data folder, on one terminal. */
function terminal(sandbox: Sandbox) {
  const surface = new MemorySurface("cli");
  const data = temporaryFolder();
  return { surface, call: () => testCore(sandbox, { data, surface, adopting: false }) };
}

type Terminal = ReturnType<typeof terminal>;

const jobs = ({ database }: Pick<TestCore, "database">) =>
  database.kysely.selectFrom("jobs").select(["id", "delivery", "runner"]).execute();

/** Has a picture made by a call that ends while it says that its disk does not take it. @returns its job */
async function madeAndNotSaved({ surface, call }: Terminal): Promise<string> {
  const core = await call();
  const over = Promise.withResolvers<string>();
  surface.beforePost = async (view) => {
    if (view.kind !== "result") return;
    core[Symbol.asyncDispose]().then(() => over.resolve(view.job.id), over.reject);
    await sleep(500);
    throw new ReelayError("undeliverable");
  };
  await surface.intake.command(me, "image", { prompt: "a lighthouse" });
  const id = await over.promise;
  surface.beforePost = () => {};
  return id;
}

/** What a call that ended at once left on its way. @returns its job */
async function madeAndLeft({ surface, call }: Terminal): Promise<string> {
  const core = await call();
  surface.beforePost = (view) => {
    if (view.kind === "result") throw new ReelayError("not_posted");
  };
  await surface.intake.command(me, "image", { prompt: "a lighthouse" });
  await expect.poll(async () => (await jobs(core))[0]?.delivery).toBe("due");
  const id = (await jobs(core))[0]?.id ?? "";
  await core[Symbol.asyncDispose]();
  surface.beforePost = () => {};
  return id;
}

describe("what a call of the command line did not bring", () => {
  it.each([
    ["could not save", madeAndNotSaved],
    ["left on its way", madeAndLeft],
  ])("is brought by the call that asks for it, at once: what the first one %s", async (_what, make) => {
    await using sandbox = await testSandbox();
    const at = terminal(sandbox);
    const id = await make(at);
    await using next = await at.call();
    await next.database.kysely
      .updateTable("jobs")
      .set({ not_before: Date.now() + 600_000 })
      .execute();
    await at.surface.intake.act(me, `show:${id}`);
    await at.surface.results(1);
    expect(at.surface.showing("problem")).toEqual([]);
  });

  it("waits for nobody where the disk did not take it", async () => {
    await using sandbox = await testSandbox();
    const at = terminal(sandbox);
    await madeAndNotSaved(at);
    await using next = await at.call();
    expect(await jobs(next)).toMatchObject([{ delivery: "undeliverable" }]);
  });

  it("is left to a call that is still at it, and that is said", async () => {
    await using sandbox = await testSandbox();
    const at = terminal(sandbox);
    const id = await madeAndLeft(at);
    await using next = await at.call();
    const [left] = await jobs(next);
    // What runs, and is no process of this test's.
    await next.database.kysely
      .updateTable("runners")
      .set({ pid: process.ppid, started: null, beat_at: Date.now() })
      .where("id", "=", left?.runner ?? "")
      .execute();
    await at.surface.intake.act(me, `show:${id}`);
    expect(lastSaid(at.surface)).toBe("job_busy");
    expect(await jobs(next)).toEqual([left]);
  });
});
