import { expect, it, vi } from "vitest";
import { TakeBacks } from "../../../../src/domain/jobs/delivery/take-backs.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import type { Origin } from "../../../../src/seam/origin.ts";
import { aJob } from "../../../support/job.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { person } from "../../../support/surface.ts";
import { GROUP, harness, type Harness, isNotice, madeInGroup, told } from "../../reports/harness.ts";

/** Ann, who is from Telegram, on everybody's page. */
const onPage: Origin = { ...person("ann", "telegram"), platform: "web" };

const refusing = (code: "undeliverable" | "not_posted") => () => {
  throw new ReelayError(code);
};

const shown = ({ surface }: Harness) => surface.messages[0]?.views.at(-1);

const isTakenAway = (core: Harness) => isNotice(shown(core), "job.deleted");

const kept = async ({ database }: Harness) =>
  (await memory(database, "take-backs").entries()).filter(([name]) => name.startsWith("message "));

/** What somebody is told who deletes a job on the page. */
async function deletedOnPage(core: Harness, job: string) {
  await core.page.intake.act(onPage, `delete-now:${job}`);
  const said = core.page.messages.at(-1)?.views.at(-1);
  return said?.kind === "notice" ? [said.text.key, ...(said.facts ?? []).map(({ label }) => label)] : said;
}

it("a message of a deleted job goes when its person unblocks the bot, and they are told that it is still there", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  await core.surface.intake.command(person("ann", "telegram"), "image", { prompt: "a lighthouse" });
  const id = (await core.surface.results(1))[0]?.job.id ?? "";
  await told(core, id);
  core.surface.beforePost = refusing("undeliverable");
  expect(await deletedOnPage(core, id)).toEqual(["delete.done", "delete.shown"]);
  core.surface.beforePost = () => {};
  await core.surface.intake.chatOpened({ user: "telegram:ben" });
  await core.surface.intake.chatOpened({ chat: GROUP });
  expect(isTakenAway(core)).toBe(false);
  await core.surface.intake.chatOpened({ user: "telegram:ann" });
  await core.surface.until(() => isTakenAway(core));
  await expect.poll(() => kept(core)).toEqual([]);
});

it("a copy that was sent to a chat goes as well", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  await core.page.intake.command(onPage, "image", { prompt: "a lighthouse" });
  const id = (await core.page.results(1))[0]?.job.id ?? "";
  await told(core, id);
  await core.page.intake.act(onPage, `send:${id}`);
  core.surface.beforePost = refusing("undeliverable");
  expect(await deletedOnPage(core, id)).toEqual(["delete.done", "delete.shown"]);
  core.surface.beforePost = () => {};
  await core.surface.intake.chatOpened({ user: "telegram:ann" });
  await core.surface.until(() => isTakenAway(core));
});

it("one in a group that the bot was thrown out of goes when it is back, and holds no words until then", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeInGroup(core);
  core.surface.beforePost = refusing("undeliverable");
  await core.surface.intake.act(person("ann", "telegram"), `delete-now:${job}`);
  expect(JSON.stringify(await kept(core))).not.toContain("lighthouse");
  core.surface.beforePost = () => {};
  await core.surface.intake.chatOpened({ user: "telegram:ann" });
  await core.surface.intake.chatOpened({ chat: GROUP, at: { to: "somebody else" } });
  expect(isTakenAway(core)).toBe(false);
  await core.surface.intake.chatOpened({ chat: GROUP });
  await core.surface.until(() => isTakenAway(core));
});

it("nothing of it is kept of who is forgotten", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeInGroup(core);
  core.surface.beforePost = refusing("undeliverable");
  await core.surface.intake.act(person("ann", "telegram"), `delete-now:${job}`);
  expect(await kept(core)).toHaveLength(1);
  await core.surface.intake.act(person("ann", "telegram"), `forget-now:${Date.now() + 60_000}`);
  expect(await kept(core)).toEqual([]);
});

it("what its platform does not take is tried again by the hour, what is closed is not", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const name = await madeInGroup(core);
  const log = makeLogger({ level: "silent" });
  const surfaces = new Surfaces([core.surface], []);
  const takeBacks = new TakeBacks(memory(core.database, "others"), surfaces, log);
  const tries = vi.spyOn(core.surface, "revise");
  core.surface.beforePost = refusing("not_posted");
  const message = { platform: "telegram", receipt: { index: 0 }, chat: GROUP, name } as const;
  const elsewhere = { ...message, platform: "discord", name: "elsewhere" } as const;
  expect(await takeBacks.take(aJob({ id: name }), [message, elsewhere])).toBe(2);
  await takeBacks.retry();
  expect(tries).toHaveBeenCalledTimes(2);
  core.surface.beforePost = refusing("undeliverable");
  await takeBacks.retry();
  await takeBacks.retry();
  expect(tries).toHaveBeenCalledTimes(3);
  core.surface.beforePost = () => {};
  await takeBacks.retry({ chat: GROUP });
  expect(isTakenAway(core)).toBe(true);
});

it("is looked for where some of it is alone, and nothing of it is kept of a chat whose person is forgotten", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const entries = memory(core.database, "others");
  const listed = vi.spyOn(entries, "entries");
  const takeBacks = new TakeBacks(entries, new Surfaces([core.surface], []), makeLogger({ level: "silent" }));
  const job = aJob({ user: "telegram:ann" });
  core.surface.beforePost = refusing("undeliverable");
  await takeBacks.take(job, [{ platform: "telegram", receipt: { index: 0 }, chat: null, name: job.id }]);
  await takeBacks.retry({ user: "telegram:ben" });
  await takeBacks.retry({ chat: GROUP });
  expect(listed).not.toHaveBeenCalled();
  // It fails once more, and is found again.
  for (let time = 1; time <= 2; time++) {
    await takeBacks.retry({ user: "telegram:ann" });
    expect(listed).toHaveBeenCalledTimes(time);
  }
  await takeBacks.forget("telegram:ann");
  expect(await entries.entries()).toEqual([]);
});
