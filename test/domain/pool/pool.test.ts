import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { KeyState } from "../../../src/seam/access/key-pool.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import { type PooledCore, pooledCore } from "../../support/pool.ts";
import { temporaryFolder, testPicture, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

let photo: MediaRef;

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
});

const ask = ({ surface }: PooledCore, prompt: string, who = "ann") =>
  surface.intake.command(person(who), "image", { prompt, width: 64, height: 64 });

/** The service refuses a key from now on, whatever is asked with it. */
const revoke = (sandbox: TestSandbox, account: string) =>
  sandbox.fault({ kind: "401", match: { account }, times: 1_000_000 });

/** Once a key stands so. */
async function untilState({ desk }: PooledCore, name: string, state: KeyState): Promise<void> {
  await expect.poll(async () => (await desk.list()).find((key) => key.name === name)?.state).toBe(state);
}

const accountsOf = async (sandbox: TestSandbox) =>
  (await sandbox.ledger()).submissions.map(({ account }) => account);

const phases = ({ surface }: PooledCore) =>
  surface.messages.flatMap(({ views }) =>
    views.flatMap((view) => (view.kind === "progress" ? view.phase : [])),
  );

/** A key that jobs would go to as long as it takes them. */
const heavy = (key: string) => ({ key, weight: 100 });

describe.concurrent("a key of several", () => {
  it("that the service refuses leaves, and its job is made with another one", async () => {
    await using sandbox = await testSandbox();
    const { pro, ultra } = sandbox.keys;
    await using core = await pooledCore(sandbox, heavy(pro), { second: { key: ultra } });
    await revoke(sandbox, "pro");
    await ask(core, "waves");
    await core.surface.results(1);
    expect(await accountsOf(sandbox)).toEqual(["ultra"]);
    expect(core.surface.showing("problem")).toEqual([]);
    await untilState(core, "REELAY_API_KEY", "refused");
    // Whoever has it may have mended that: it is looked at again and again.
    await sandbox.clearFaults();
    await untilState(core, "REELAY_API_KEY", "in");
  });

  it("with too few tokens leaves, and comes back once it has more", async () => {
    await using sandbox = await testSandbox();
    const poor = sandbox.addAccount("poor", "pro", 0);
    await using core = await pooledCore(sandbox, heavy(poor), { second: { key: sandbox.keys.ultra } });
    await ask(core, "waves");
    await core.surface.results(1);
    expect(await accountsOf(sandbox)).toEqual(["ultra"]);
    await untilState(core, "REELAY_API_KEY", "empty");
    sandbox.topUp(poor, 50);
    await untilState(core, "REELAY_API_KEY", "in");
  });

  it("that lacks a subscription is not asked again for what takes one, and stays", async () => {
    await using sandbox = await testSandbox();
    const { pro, standard } = sandbox.keys;
    await using core = await pooledCore(sandbox, heavy(standard), { second: { key: pro } });
    for (const prompt of ["one", "two"])
      await core.surface.intake.command(person(prompt), "faceswap", { target: photo, source: photo });
    await core.surface.results(2);
    expect(await accountsOf(sandbox)).toEqual(["pro", "pro"]);
    expect((await core.desk.list()).map(({ state }) => state)).toEqual(["in", "in"]);
  });

  it("that is said to lack a subscription is not asked for what takes one at all", async () => {
    await using sandbox = await testSandbox();
    const { pro, standard } = sandbox.keys;
    const said = { ...heavy(standard), tier: "standard" } as const;
    await using core = await pooledCore(sandbox, said, { second: { key: pro } });
    await core.surface.intake.command(person("ann"), "faceswap", { target: photo, source: photo });
    await core.surface.results(1);
    const { requests, submissions } = await sandbox.ledger();
    expect([requests["faceswap"], submissions[0]?.account]).toEqual([1, "pro"]);
  });
});

describe.concurrent("a job that no key takes", () => {
  it("waits, its person is told so, and it is made once a key is let in", async () => {
    await using sandbox = await testSandbox();
    await using core = await pooledCore(sandbox, { key: sandbox.keys.pro });
    await core.desk.pause("REELAY_API_KEY");
    let asked = 0;
    // The core hears of it within a second; what was asked for before is made.
    const isWaiting = async () => {
      asked += 1;
      await ask(core, `waves ${asked}`);
      return phases(core).includes("awaiting_operator");
    };
    await expect.poll(isWaiting, { interval: 300 }).toBe(true);
    expect(await accountsOf(sandbox)).not.toHaveLength(asked);
    await core.desk.resume("REELAY_API_KEY");
    await core.surface.results(asked);
    expect(core.surface.showing("problem")).toEqual([]);
  });

  it("waits because the service refuses the only one, until that is accepted again", async () => {
    await using sandbox = await testSandbox();
    await using core = await pooledCore(sandbox, { key: sandbox.keys.pro });
    await sandbox.fault({ kind: "401", match: { path: "/api/generate" }, times: 1_000_000 });
    await ask(core, "waves");
    await core.surface.until(() => phases(core).includes("awaiting_operator"));
    await sandbox.clearFaults();
    await core.surface.results(1);
    expect(await accountsOf(sandbox)).toEqual(["pro"]);
  });

  it("waits because the only one has too few tokens, until that has more, and what it costs is told once", async () => {
    await using sandbox = await testSandbox();
    const poor = sandbox.addAccount("poor", "pro", 0);
    await using core = await pooledCore(sandbox, { key: poor });
    await ask(core, "waves");
    await core.surface.until(() => phases(core).includes("awaiting_operator"));
    sandbox.topUp(poor, 50);
    const [{ cost } = { cost: null }] = await core.surface.results(1);
    const { submissions } = await sandbox.ledger();
    expect(submissions.map(({ cost: charged }) => charged)).toEqual([cost]);
  });

  it("can be taken back", async () => {
    await using sandbox = await testSandbox();
    await using core = await pooledCore(sandbox, { key: sandbox.addAccount("poor", "pro", 0) });
    await ask(core, "waves");
    await core.surface.until(() => phases(core).includes("awaiting_operator"));
    const [waiting] = core.surface.showing("progress");
    const cancel = waiting?.actions?.find(({ label }) => label.key === "action.cancel");
    await core.surface.intake.act(person("ann"), cancel?.token ?? "");
    await core.surface.until(() => core.surface.showing("progress").length === 0);
    expect(await accountsOf(sandbox)).toEqual([]);
  });

  it("because no account has subscribed to it, fails as the service says", async () => {
    await using sandbox = await testSandbox();
    const standard = { key: sandbox.keys.standard, tier: "standard" } as const;
    await using core = await pooledCore(sandbox, standard, { second: { key: sandbox.keys.empty } });
    await core.surface.intake.command(person("ann"), "faceswap", { target: photo, source: photo });
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect(core.surface.showing("problem")[0]?.problem.code).toBe("pro_required");
  });
});
