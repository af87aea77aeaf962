import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { MediaRef } from "../../../../src/seam/values.ts";
import type { View } from "../../../../src/seam/views.ts";
import { testCore, type TestCore } from "../../../support/core.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";
import { temporaryFolder, testPicture, testSandbox, type TestSandbox } from "../../../support/sandbox.ts";
import { person } from "../../../support/surface.ts";

const ann = person("ann");

const last = ({ surface }: TestCore): View | undefined => surface.messages.at(-1)?.views.at(-1);

/** Asks to delete the last job, and does; what was asked and said. */
async function deleted(core: TestCore) {
  const { id } = await core.database.kysely.selectFrom("jobs").select("id").executeTakeFirstOrThrow();
  await core.surface.intake.act(ann, `delete:${id}`);
  const asked = last(core);
  await core.surface.intake.act(ann, `delete-now:${id}`);
  return [asked, last(core)];
}

describe("the question whether to delete a job", () => {
  it("says that it goes at the service, too, where it does", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await core.surface.intake.command(ann, "image", { prompt: "waves" });
    await core.surface.results(1);
    expect(await deleted(core)).toMatchObject([
      { text: { key: "delete.ask" } },
      { text: { key: "delete.done" } },
    ]);
  });

  it("says nothing of the service where it never was there, nor does what is said then", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ kind: "403", times: 1, match: { method: "POST" } });
    await core.surface.intake.command(ann, "image", { prompt: "waves" });
    await core.surface.until(() => last(core)?.kind === "problem");
    expect(await deleted(core)).toMatchObject([
      { text: { key: "delete.ask_here" } },
      { text: { key: "job.deleted" } },
    ]);
  });

  it("says that it stays at the service where that cannot delete it", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { sharedKey: sandbox.keys.pro });
    const path = join(temporaryFolder(), "photo.jpg");
    await writeFile(path, Buffer.from(await testPicture(), "base64"));
    const images: MediaRef[] = [{ surface: "web", id: path }];
    await core.surface.intake.command(ann, "imgpro-edit", { prompt: "waves", images });
    await core.surface.results(1);
    expect(await deleted(core)).toMatchObject([
      { text: { key: "delete.ask_kept" } },
      { text: { key: "delete.here" } },
    ]);
  });
});

const make = async (core: TestCore, sandbox: TestSandbox, of: "there" | "kept" | "never") => {
  if (of === "never") await sandbox.fault({ kind: "403", times: 1, match: { method: "POST" } });
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  const images: MediaRef[] = [{ surface: "web", id: path }];
  if (of === "kept") await core.surface.intake.command(ann, "imgpro-edit", { prompt: "waves", images });
  else await core.surface.intake.command(ann, "image", { prompt: "waves" });
  // What is shown is noted as told a moment later; until then it goes on.
  const open = core.database.kysely.selectFrom("jobs").select("id").where("delivery", "!=", "delivered");
  await vi.waitFor(async () => expect(await open.execute()).toEqual([]), { timeout: PATIENCE_MS });
};
const counted = (label: string) => ({ label, value: { params: { count: 1 } } });

describe("the question whether to delete everything", () => {
  it.each([
    {
      made: ["there", "there"],
      asked: ["delete_all.ask", []],
      said: ["delete.done", []],
    },
    {
      made: ["never", "never"],
      asked: ["delete_all.ask_here", []],
      said: ["delete.done_here", []],
    },
    {
      made: ["there", "kept", "never"],
      asked: ["delete_all.ask_here", [counted("delete_all.there"), counted("delete_all.kept")]],
      said: ["delete.done_here", [counted("forget.deleted"), counted("delete.kept")]],
    },
  ] as const)("says what goes at the service, and so does what is said then: $made", async (row) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { sharedKey: sandbox.keys.pro });
    for (const of of row.made) await make(core, sandbox, of);
    await core.surface.intake.command(ann, "delete-all", {});
    const params = { count: row.made.length };
    const view = last(core);
    expect(view).toMatchObject({ text: { key: row.asked[0], params }, facts: row.asked[1] });
    const token = view?.kind === "notice" ? view.actions?.[0]?.token : undefined;
    await core.surface.intake.act(ann, token ?? "");
    expect(last(core)).toMatchObject({ text: { key: row.said[0], params }, facts: row.said[1] });
  });
});
