import { describe, expect, it } from "vitest";
import type { View } from "../../../../src/seam/views.ts";
import { testCore, type TestCore } from "../../../support/core.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { person } from "../../../support/surface.ts";

const ann = person("ann");

const last = ({ surface }: TestCore): View | undefined => surface.messages.at(-1)?.views.at(-1);

/** A core in which Ann made a picture under a key of her own, which she has erased since. */
async function keyless(sandbox: Awaited<ReturnType<typeof testSandbox>>) {
  const core = await testCore(sandbox, { sharedKey: undefined });
  const { intake } = core.surface;
  await intake.command(ann, "connect", { key: sandbox.keys.pro });
  await intake.command(ann, "image", { prompt: "waves" });
  const [made] = await core.surface.results(1);
  await core.surface.intake.command(ann, "disconnect", {});
  return { core, id: made?.job.id ?? "" };
}

describe("a job whose key is connected no more", () => {
  it("is not deleted at once: here alone, or with its key", async () => {
    await using sandbox = await testSandbox();
    const { core, id } = await keyless(sandbox);
    await using _ = core;
    const { intake } = core.surface;
    await intake.act(ann, `delete-now:${id}`);
    const actions = [{ token: `delete-here:${id}` }, { token: "reconnect:key" }];
    expect(last(core)).toMatchObject({ kind: "notice", text: { key: "delete.no_key" }, actions });
    expect(await core.database.kysely.selectFrom("jobs").select("id").execute()).toHaveLength(1);

    await intake.command(ann, "connect", { key: sandbox.keys.pro });
    await intake.act(ann, `delete-now:${id}`);
    expect(last(core)).toMatchObject({ text: { key: "delete.done" } });
  });

  it("is deleted here alone where its person says so", async () => {
    await using sandbox = await testSandbox();
    const { core, id } = await keyless(sandbox);
    await using _ = core;
    await core.surface.intake.act(ann, `delete-here:${id}`);
    expect(last(core)).toMatchObject({ text: { key: "delete.here_only" } });
    expect(await core.database.kysely.selectFrom("jobs").select("id").execute()).toEqual([]);
    const [submission] = (await sandbox.ledger()).submissions;
    const headers = { "X-API-Key": sandbox.keys.pro };
    expect((await fetch(`${sandbox.url}/job/${submission?.job_id}`, { headers })).status).toBe(200);
  });
});

it("whoever has no key is offered to connect one", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox, { sharedKey: undefined });
  await core.surface.intake.command(ann, "balance", {});
  const actions = [{ token: "reconnect:key" }];
  expect(last(core)).toMatchObject({ kind: "problem", problem: { code: "not_connected" }, actions });
});

it("that no key was stored is said to whoever has it erased", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox, { sharedKey: undefined });
  await core.surface.intake.command(ann, "disconnect", {});
  expect(last(core)).toMatchObject({ text: { key: "disconnect.none" } });
});
