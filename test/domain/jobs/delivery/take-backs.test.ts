import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { TakeBacks } from "../../../../src/domain/jobs/delivery/take-backs.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { deletedNotice } from "../../../../src/seam/text/notices.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import type { Origin } from "../../../../src/seam/origin.ts";
import { between } from "../../../support/between.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { aJob } from "../../../support/job.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { MemorySurface, person } from "../../../support/surface.ts";
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

/** Has a picture made on the page and sent to the chat. */
async function madeOnPageAndSent(core: Harness): Promise<string> {
  await core.page.intake.command(onPage, "image", { prompt: "a lighthouse" });
  const id = (await core.page.results(1))[0]?.job.id ?? "";
  await told(core, id);
  await core.page.intake.act(onPage, `send:${id}`);
  return id;
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
  const id = await madeOnPageAndSent(core);
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

it("all messages of a job are written down with its end: a crash leaves none of them standing", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const id = await madeOnPageAndSent(core);
  const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>();
  core.surface.beforePost = () => hanging;
  const deleting = core.page.intake.act(onPage, `delete-now:${id}`);
  const rows = () => core.database.kysely.selectFrom("jobs").select("id").execute();
  try {
    await expect.poll(rows).toEqual([]);
    expect(await kept(core)).toHaveLength(2);
    expect(await memory(core.database, "copies").entries()).toEqual([]);
  } finally {
    goOn();
  }
  await deleting;
  await expect.poll(() => kept(core)).toEqual([]);
});

it("no message of a job that stays is taken away", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const id = await madeOnPageAndSent(core);
  const { kysely } = core.database;
  await sql`create trigger stays before delete on jobs begin select raise(abort, 'The disk is full.'); end`.execute(
    kysely,
  );
  await core.page.intake.act(onPage, `delete-now:${id}`);
  await sql`drop trigger stays`.execute(kysely);
  expect(await kept(core)).toEqual([]);
  expect(shown(core)?.kind).toBe("result");
  expect(await deletedOnPage(core, id)).toEqual(["delete.done"]);
  expect(isTakenAway(core)).toBe(true);
});

it("what is in a group is taken away of who is forgotten, names them no more, and they are told", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeInGroup(core);
  core.surface.beforePost = (view) => {
    if (isNotice(view, "job.deleted")) refusing("undeliverable")();
  };
  const { intake } = core.surface;
  await intake.act(person("ann", "telegram"), `forget-now:${Date.now() + 60_000}`);
  const said = core.surface.messages.at(-1)?.views.at(-1);
  expect(said).toMatchObject({
    text: { key: "forget.done" },
    facts: [{ label: "delete.shown", value: { params: { count: 1 } } }],
  });
  const [[, due] = []] = await kept(core);
  expect(due).toMatchObject({ name: job, user: null });
  expect(JSON.stringify(await memory(core.database, "take-backs").entries())).not.toContain("ann");
  core.surface.beforePost = () => {};
  await intake.chatOpened({ chat: GROUP });
  await core.surface.until(() => isTakenAway(core));
  await expect.poll(() => kept(core)).toEqual([]);
});

it("is given up after 90 days, however often it was tried or its person was forgotten", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const others = memory(core.database, "others");
  const takeBacks = new TakeBacks(others, new Surfaces([core.surface], []), makeLogger({ level: "silent" }));
  core.surface.beforePost = refusing("not_posted");
  const receipt = { index: 0, user: "ann" };
  const job = aJob({ user: "telegram:ann" });
  await takeBacks.take(
    await takeBacks.note(job, [{ platform: "telegram", receipt, chat: GROUP, name: job.id }]),
  );
  const ends = () =>
    core.database.kysely.selectFrom("kv").select("expires_at").where("namespace", "=", "others");
  const before = await ends().execute();
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ["Date"] });
  try {
    await takeBacks.retry();
    expect(await takeBacks.forget("telegram:ann")).toBe(1);
  } finally {
    vi.useRealTimers();
  }
  const last = Math.max(...before.map(({ expires_at }) => Number(expires_at))) + 3_600_000;
  for (const { expires_at } of await ends().execute()) expect(Number(expires_at)).toBeLessThan(last);
  expect(JSON.stringify(await others.entries())).not.toContain("ann");
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
  expect(await takeBacks.take(await takeBacks.note(aJob({ id: name }), [message, elsewhere]))).toBe(2);
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
  const message = { platform: "telegram", receipt: { index: 0 }, chat: null, name: job.id } as const;
  await takeBacks.take(await takeBacks.note(job, [message]));
  await takeBacks.retry({ user: "telegram:ben" });
  await takeBacks.retry({ chat: GROUP });
  expect(listed).not.toHaveBeenCalled();
  // It fails once more, and is found again.
  for (let time = 1; time <= 2; time++) {
    await takeBacks.retry({ user: "telegram:ann" });
    expect(listed).toHaveBeenCalledTimes(time);
  }
  expect(await takeBacks.forget("telegram:ann")).toBe(0);
  expect(await entries.entries()).toEqual([]);
});

it.each(FOLDER_FAULTS)("all messages of a job go that was deleted at the service when %s", async (fault) => {
  await using sandbox = await testSandbox();
  await using service = await between(sandbox);
  await using folder = new FailingFolder(fault);
  await using core = await harness(service, { sync: folder.sync });
  await folder.hold(core.database);
  const id = await madeOnPageAndSent(core);
  service.change = async ({ method }) => {
    if (method === "DELETE") await folder.fail();
    return undefined;
  };
  expect(await folder.mendOnceWaitedFor(deletedOnPage(core, id))).toEqual(["delete.done"]);
  expect(await core.database.kysely.selectFrom("jobs").select("id").execute()).toEqual([]);
  expect(isTakenAway(core)).toBe(true);
  expect(await kept(core)).toEqual([]);
});

const outcomes = FOLDER_FAULTS.flatMap((fault) => [true, false].map((isTaken) => ({ fault, isTaken })));

it.each(outcomes)(
  "what became of a message is written once it can be; taken away: $isTaken, $fault",
  async (cell) => {
    await using folder = new FailingFolder(cell.fault);
    const entries = memory(await folder.open(), "take-backs");
    const surface = new MemorySurface("telegram");
    const receipt = await surface.deliver(
      {},
      deletedNotice({ id: "j1", operation: "image", values: {}, createdAt: 1 }),
    );
    const log = makeLogger({ level: "silent" });
    const takeBacks = new TakeBacks(entries, new Surfaces([surface], []), log);
    const message = { platform: "telegram", receipt, chat: null, name: "j1" } as const;
    const dues = await takeBacks.note(aJob({ id: "j1", user: "telegram:ann" }), [message]);
    surface.beforePost = async () => {
      await folder.fail();
      if (!cell.isTaken) refusing("undeliverable")();
    };
    expect(await folder.mendOnceWaitedFor(takeBacks.take(dues))).toBe(cell.isTaken ? 0 : 1);
    let tries = 0;
    surface.beforePost = () => void (tries += 1);
    // By the hour what is closed is not tried.
    await takeBacks.retry();
    expect(tries).toBe(0);
    await takeBacks.retry({ user: "telegram:ann" });
    expect(tries).toBe(cell.isTaken ? 0 : 1);
    expect(await entries.entries()).toEqual([]);
  },
);
