import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import type { View } from "../../../src/seam/views.ts";
import { testCore, type TestCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const ann = person("ann");

const isDone = (view: View) => view.kind === "notice" && view.text.key === "delete.done";

/** Somebody's finished job, deleted while the chat does not take some views; what was tried, and what came through. */
async function deleted(core: TestCore, refuse: (view: View) => ReelayError | undefined) {
  const { surface, database } = core;
  const image = join(temporaryFolder(), "photo.jpg");
  await writeFile(image, Buffer.from(await testPicture(), "base64"));
  await surface.intake.command(ann, "video", { image: { surface: "web", id: image }, prompt: "slow zoom" });
  const [result] = await surface.results(1);
  const ledger = new Ledger(database, "looking");
  await expect.poll(() => ledger.count({ user: ann.user, goingOn: true })).toBe(0);
  const tried: View[] = [];
  surface.beforePost = (view) => {
    tried.push(view);
    const refusal = refuse(view);
    if (refusal) throw refusal;
  };
  const isDoneNow = await surface.intake.command(ann, "delete-now", { of: String(result?.job.id) });
  return {
    isDoneNow,
    tried,
    last: surface.messages.at(-1)?.views.at(-1),
    left: await ledger.count({ user: ann.user }),
  };
}

describe("an answer that its platform does not take", () => {
  it("undoes nothing, and is said to be missing where something else is taken", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const outcome = await deleted(core, (view) => (isDone(view) ? new ReelayError("not_posted") : undefined));
    expect(outcome).toMatchObject({ isDoneNow: true, left: 0 });
    expect(outcome.last).toMatchObject({ kind: "problem", problem: { code: "not_posted" }, charged: 0 });
    expect((await sandbox.ledger()).requests["delete"]).toBe(1);
  });

  it.each([
    ["undeliverable", 1],
    ["not_posted", 2],
  ] as const)("is not tried for ever: %s", async (code, tries) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const outcome = await deleted(core, (view) =>
      view.kind === "notice" && view.job ? undefined : new ReelayError(code),
    );
    expect(outcome).toMatchObject({ isDoneNow: true, left: 0 });
    // The job's own message comes first.
    expect(outcome.tried).toHaveLength(1 + tries);
  });

  it("is told where it was the file that somebody asked for", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    core.surface.beforePost = (view) => {
      if (view.kind === "file") throw new ReelayError("undeliverable");
    };
    expect(await core.surface.intake.command(ann, "export", {})).toBe(false);
    expect(core.surface.showing("problem")).toMatchObject([{ problem: { code: "undeliverable" } }]);
  });

  it("is still a failure of ours where it was no platform's doing", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    core.surface.beforePost = (view) => {
      if (view.kind === "notice") throw new TypeError("a mistake in an adapter");
    };
    expect(await core.surface.intake.command(ann, "withdraw", {})).toBe(false);
    expect(core.surface.showing("problem")).toMatchObject([{ problem: { code: "internal" } }]);
  });
});
