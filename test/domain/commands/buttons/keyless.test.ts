import { describe, expect, it, vi } from "vitest";
import type { View } from "../../../../src/seam/views.ts";
import { testCore, type TestCore } from "../../../support/core.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { person } from "../../../support/surface.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

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

  it("is asked about as what can only be deleted here", async () => {
    await using sandbox = await testSandbox();
    const { core, id } = await keyless(sandbox);
    await using _ = core;
    await core.surface.intake.act(ann, `delete:${id}`);
    const actions = [{ token: `delete-here:${id}` }, { token: "reconnect:key" }];
    expect(last(core)).toMatchObject({ kind: "notice", text: { key: "delete.no_key" }, actions });
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

const kept = async (core: TestCore) => core.database.kysely.selectFrom("jobs").select("id").execute();

describe("everything of somebody whose key is connected no more", () => {
  const left = { label: "delete.left", value: { params: { count: 1 } } };
  const ways = [{ token: expect.stringMatching(/^delete-all-here:\d+$/) }, { token: "reconnect:key" }];

  it("is asked about as what can only be deleted here, and is deleted so", async () => {
    await using sandbox = await testSandbox();
    const { core } = await keyless(sandbox);
    await using _ = core;
    await toldAll(core);
    const { intake } = core.surface;
    await intake.command(ann, "delete-all", {});
    expect(last(core)).toMatchObject({ text: { key: "delete_all.ask_no_key" }, actions: ways });
    await intake.act(ann, tokenIn(core, "action.delete_here"));
    const facts = [{ label: "delete.only_here", value: { params: { count: 1 } } }];
    expect(last(core)).toMatchObject({ text: { key: "delete.here_only" }, facts });
    expect(await kept(core)).toEqual([]);
    const [submission] = (await sandbox.ledger()).submissions;
    const headers = { "X-API-Key": sandbox.keys.pro };
    expect((await fetch(`${sandbox.url}/job/${submission?.job_id}`, { headers })).status).toBe(200);
  });

  it("stays where it was asked about with a key, and is offered to be deleted here", async () => {
    await using sandbox = await testSandbox();
    const { core } = await keyless(sandbox);
    await using _ = core;
    await toldAll(core);
    const { intake } = core.surface;
    await intake.act(ann, `delete-all-now:${Date.now() + 60_000}`);
    expect(last(core)).toMatchObject({ text: { key: "delete_all.ask_no_key" }, actions: ways });
    expect(await kept(core)).toHaveLength(1);
  });

  it("is deleted at the service as far as there is a key, and says how much that is", async () => {
    await using sandbox = await testSandbox();
    const { core } = await keyless(sandbox);
    await using _ = core;
    const { intake } = core.surface;
    await intake.command(ann, "connect", { key: sandbox.keys.ultra });
    await intake.command(ann, "image", { prompt: "hills" });
    await core.surface.results(2);
    await toldAll(core);
    await intake.command(ann, "delete-all", {});
    const facts = [{ label: "delete_all.no_key_some", value: { params: { count: 1 } } }];
    expect(last(core)).toMatchObject({ text: { key: "delete_all.ask", params: { count: 2 } }, facts });
    await intake.act(ann, tokenIn(core, "action.delete_all_now"));
    const done = { key: "delete.done", params: { count: 1 } };
    expect(last(core)).toMatchObject({ text: done, facts: [left], actions: ways });
    await intake.act(ann, tokenIn(core, "action.delete_here"));
    expect(last(core)).toMatchObject({ text: { key: "delete.here_only" } });
    expect(await kept(core)).toEqual([]);
  });

  it("is not deleted here alone once its key is back", async () => {
    await using sandbox = await testSandbox();
    const { core } = await keyless(sandbox);
    await using _ = core;
    await toldAll(core);
    const { intake } = core.surface;
    await intake.command(ann, "delete-all", {});
    const here = tokenIn(core, "action.delete_here");
    await intake.command(ann, "connect", { key: sandbox.keys.pro });
    await intake.act(ann, here);
    expect(last(core)).toMatchObject({ text: { key: "delete_all.ask", params: { count: 1 } }, facts: [] });
    expect(await kept(core)).toHaveLength(1);
  });
});

/** What is shown is noted as told a moment later; until then it goes on. */
async function toldAll({ database }: TestCore): Promise<void> {
  const open = database.kysely.selectFrom("jobs").select("id").where("delivery", "!=", "delivered");
  await vi.waitFor(async () => expect(await open.execute()).toEqual([]), { timeout: PATIENCE_MS });
}

function tokenIn(core: TestCore, label: string): string {
  const view = last(core);
  const actions = view?.kind === "notice" ? (view.actions ?? []) : [];
  return actions.find((action) => action.label.key === label)?.token ?? "";
}

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
