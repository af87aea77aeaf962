import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { post, uploadFile } from "../adapters/web/support/client.ts";
import { Child, hasMachines, onOwnMachine } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { startPostgres } from "../support/postgres.ts";
import { TestS3 } from "../support/s3/store.ts";
import { temporaryFolder, testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { jobsIn, mischarged, mistold } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

// Nodes that share a database and a place for files, and nothing else.

const server = await startPostgres();
afterAll(() => server?.stop());

const MACHINES = hasMachines();

type Settings = Readonly<Record<string, string>>;

/** An installation, each of whose nodes has a data folder of its own. */
async function cluster(sandbox: TestSandbox, settings: Settings) {
  const { env } = homeAt(sandbox, {
    REELAY_STORE: (await server?.createDatabase()) ?? "",
    REELAY_SECRET: "a secret that all nodes have",
    ...settings,
  });
  return (own: Settings = {}, args?: readonly string[]) =>
    new Child(
      { data: temporaryFolder(), env: { ...env, ...own }, within: MACHINES ? onOwnMachine() : [] },
      args,
    );
}

const PHOTO = PHOTOS[0] ?? new Uint8Array();
const ASKED = [{ prompt: "slow zoom", photo: 0, accepted: true }] as const;

/** A photo that one node is given is made a film of by another, which dies; those that are left show both. */
async function across(sandbox: TestSandbox, node: Awaited<ReturnType<typeof cluster>>): Promise<void> {
  using one = node();
  using other = node();
  const [here = "", there = ""] = [await one.url, await other.url];
  const image = await uploadFile(here, "photo.jpg", "image/jpeg", PHOTO);
  expect(await other.file(image.id)).toEqual(Buffer.from(PHOTO));
  const values = { image, prompt: "slow zoom", duration: 6 };
  const answer = await post(there, "/web/command/video", { values, agreed: ["terms", "consent"] });
  expect(answer.status, await answer.text()).toBe(202);
  await untilSettled(other, ASKED);
  other.kill();
  await other.untilKilled();
  using later = node();
  for (const left of [one, later]) {
    const told = await untilSettled(left, ASKED);
    expect(await mistold(left, ASKED, told, "result")).toEqual([]);
    expect(await left.file(image.id)).toEqual(Buffer.from(PHOTO));
  }
  const told = jobsIn(await later.conversation());
  expect(await mischarged(sandbox, ASKED, told)).toEqual([]);
}

const atOnce = { concurrent: true, timeout: 3 * PATIENCE_MS };

describe.runIf(server)("nodes with data folders of their own", atOnce, () => {
  it("have each other's files in a bucket", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    await using store = await TestS3.start();
    const node = await cluster(sandbox, store.env);
    await across(sandbox, node);
    expect(store.objects.kept.size).toBeGreaterThan(1);
  });

  it("have each other's files in a shared folder", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const shared = temporaryFolder();
    await across(sandbox, await cluster(sandbox, { REELAY_FILES: `file:${shared}` }));
    expect((await readdir(join(shared, "media"))).length).toBeGreaterThan(1);
  });

  it("do not start with another secret, nor with files elsewhere than those that run", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const node = await cluster(sandbox, { REELAY_FILES: `file:${temporaryFolder()}` });
    using first = node();
    await first.url;
    using strange = node({ REELAY_SECRET: "another secret than theirs" });
    using astray = node({ REELAY_FILES: `file:${temporaryFolder()}` });
    expect([await strange.ended(), await astray.ended()].map((code) => code !== 0)).toEqual([true, true]);
    expect(strange.output).toContain(
      "REELAY_SECRET: found another one than what is kept in the database was encrypted with, wanted the one that the other nodes have",
    );
    expect(astray.output).toContain(
      "while other nodes keep files elsewhere, wanted the same bucket or shared folder",
    );
    first.kill();
    await first.untilKilled();
    // Nobody runs any more: they may be elsewhere from now on.
    await vi.waitFor(
      async () => {
        using moved = node({ REELAY_FILES: `file:${temporaryFolder()}` });
        expect(await moved.url).toBeDefined();
      },
      { timeout: PATIENCE_MS, interval: 1_000 },
    );
  });

  it("log whoever runs them in with one link", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const node = await cluster(sandbox, {
      REELAY_FILES: `file:${temporaryFolder()}`,
      REELAY_HOST: "0.0.0.0",
    });
    using one = node();
    using other = node();
    using link = node({}, ["link", "--json"]);
    await link.ended();
    const token = /#login=([\w-]{43})/.exec(link.output)?.[1];
    const statuses: number[] = [];
    for (const child of [one, other]) {
      const url = (await child.url) ?? "";
      for (const given of [token, "x".repeat(43)])
        statuses.push((await post(url, "/web/login", { token: given })).status);
    }
    expect(statuses).toEqual([204, 403, 204, 403]);
  });
});
