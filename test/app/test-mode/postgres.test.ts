import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { type callerAt, openTestable, settingsFor, untouchedService } from "../../support/test-mode.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const CAT = { operation: "image", input: { prompt: "a cat" } };

const modeOf = ({ headers }: Response) => headers.get("reelay-mode");

/** Waits until a token is known: a server is told a moment later of what another connection changed. */
async function isKnown(caller: ReturnType<typeof callerAt>): Promise<void> {
  await expect.poll(async () => (await caller.call("/partner")).status).toBe(200);
}

/** Settings of one node on a new database. */
const onPostgres = async (...[service, key]: Parameters<typeof settingsFor>) => ({
  ...settingsFor(service, key),
  REELAY_STORE: (await server?.createDatabase()) ?? "",
});

// Where PostgreSQL cannot be started, that is said.
describe.runIf(server)("a test token on PostgreSQL", () => {
  it("makes what it makes beside what others make: listed, summed and deleted apart", async () => {
    await using service = await testSandbox();
    await using reelay = await openTestable(await onPostgres(service.url, service.keys.ultra));
    const live = reelay.as(await reelay.join());
    const test = reelay.as(await reelay.tokenFor("acme", true));
    await isKnown(live);
    await isKnown(test);
    expect([modeOf(await live.call("/partner")), modeOf(await test.call("/partner"))]).toEqual([
      "live",
      "test",
    ]);

    const [real, tried] = await Promise.all([live.submit(CAT, "same"), test.submit(CAT, "same")]);
    expect([real.status, modeOf(real), tried.status, modeOf(tried)]).toEqual([202, "live", 202, "test"]);
    const [made, pretended] = (await Promise.all([real.json(), tried.json()])) as { id: string }[];
    const jobs = { live: await live.ended(made?.id ?? ""), test: await test.ended(pretended?.id ?? "") };
    expect(jobs).toMatchObject({
      live: { status: "completed", livemode: true },
      test: { status: "completed", livemode: false },
    });
    expect((await service.ledger()).submissions).toHaveLength(1);
    for (const [caller, own, other] of [
      [live, jobs.live, jobs.test],
      [test, jobs.test, jobs.live],
    ] as const) {
      expect(await (await caller.call("/jobs")).json()).toMatchObject({ data: [{ id: own.id }] });
      expect(await (await caller.call("/usage")).json()).toMatchObject({
        data: [{ operation: "image", jobs: 1 }],
      });
      expect((await caller.call(`/jobs/${other.id}`)).status).toBe(404);
      expect((await caller.call(`/jobs/${other.id}`, { method: "DELETE" })).status).toBe(404);
    }
    expect(await reelay.spent()).toEqual([{ jobs: 1, platform: "acme" }]);

    const gone = await test.call(`/jobs/${jobs.test.id}`, { method: "DELETE" });
    expect([gone.status, modeOf(gone)]).toEqual([200, "test"]);
    expect((await test.call(`/jobs/${jobs.test.id}`)).status).toBe(404);
    expect((await fetch(jobs.test.media[0]?.link ?? "")).status).toBe(410);
    expect(await live.ended(jobs.live.id)).toMatchObject({ status: "completed" });
    expect((await fetch(jobs.live.media[0]?.link ?? "")).status).toBe(200);
  });

  it("makes nothing for whom the operator blocks, and blocks nobody for the others", async () => {
    await using service = await testSandbox();
    await using reelay = await openTestable(await onPostgres(service.url, service.keys.ultra));
    const live = reelay.as(await reelay.join());
    const test = reelay.as(await reelay.tokenFor("acme", true));
    await isKnown(live);
    await isKnown(test);
    const asking = async (name: string) => {
      const answers = [live, test].map(async (caller) => {
        const answer = await caller.submit({ ...CAT, in_app_username: name });
        return answer.status === 202 ? 202 : ((await answer.json()) as { code: string }).code;
      });
      return Promise.all(answers);
    };
    await reelay.block("http:acme/jo", true);
    // The cache of answers about what hardly changes is told by the server.
    await expect.poll(() => asking("jo")).toEqual(["user_blocked", "user_blocked"]);
    expect(await asking("kim")).toEqual([202, 202]);
    await reelay.block("http:acme/jo", false);
    await expect.poll(() => asking("jo")).toEqual([202, 202]);
    await test.call("/users/kim/block", { method: "PUT" });
    expect(await asking("kim")).toEqual([202, "user_blocked"]);
  });

  it("goes on with its jobs after a restart, and takes all of them along with its partner", async () => {
    await using service = await untouchedService();
    const settings = await onPostgres(service.url);
    let id = "";
    let token = "";
    {
      await using reelay = await openTestable(settings);
      token = await reelay.join("acme", true);
      await isKnown(reelay.as(token));
      ({ id } = await reelay.as(token).accepted(CAT));
    }
    await using reelay = await openTestable(settings);
    expect(await reelay.as(token).ended(id)).toMatchObject({ status: "completed", livemode: false });
    await reelay.manage((partners) => partners.remove("acme"));
    await expect.poll(async () => (await reelay.as(token).call("/partner")).status).toBe(401);
    expect(await reelay.manage((partners) => partners.list())).toEqual([]);
    const again = reelay.as(await reelay.join("acme", true));
    await isKnown(again);
    expect(await (await again.call("/jobs")).json()).toMatchObject({ data: [] });
    expect(service.asked).toEqual([]);
  });

  it("leads nowhere where several nodes may share the database: each would have a sandbox of its own", async () => {
    await using service = await untouchedService();
    const settings = await onPostgres(service.url);
    let token = "";
    {
      await using reelay = await openTestable(settings);
      token = await reelay.join("acme", true);
    }
    await using reelay = await openTestable({ ...settings, REELAY_FILES: `file:${temporaryFolder()}` });
    const refused = await reelay.as(token).call("/partner");
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "test_mode_missing" }]);
    await expect(reelay.tokenFor("acme", true)).rejects.toMatchObject({ code: "test_mode_missing" });
    expect(existsSync(reelay.store)).toBe(false);
  });
});
