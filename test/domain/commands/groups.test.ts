import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Values } from "../../../src/seam/values.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { groupOwner } from "../../../src/infrastructure/vault/vault.ts";
import { type TestCore, type TestCoreOptions, testCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";
import { testVault } from "../../support/vault.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const CHAT = "discord:100";

const inGroup = (name: string, more: Partial<Origin> = {}): Origin => ({
  ...person(name, "discord"),
  chat: CHAT,
  room: "1",
  audience: "group",
  ...more,
});
const boss = inGroup("boss", { manages: true });
const ann = inGroup("ann");
const ben = inGroup("ben");
const annAlone = person("ann", "discord");

/** A core on a platform with groups, where nobody's key pays yet. */
const groupCore = (sandbox: Parameters<typeof testCore>[0], options: TestCoreOptions = {}) =>
  testCore(sandbox, { surface: new MemorySurface("discord"), sharedKey: undefined, ...options });

let photo: string;

beforeAll(async () => {
  photo = join(temporaryFolder(), "photo.jpg");
  await writeFile(photo, Buffer.from(await testPicture(), "base64"));
});

/** A conversation with the core, in a group and beside it. */
function conversation({ surface, ...core }: TestCore) {
  const said = () => surface.showing("notice").at(-1);
  return {
    said,
    refused: () => surface.showing("problem").map(({ problem }) => problem.code),
    /** The facts of what was said last, by their labels. */
    facts: () => Object.fromEntries((said()?.facts ?? []).map(({ label, value }) => [label, value])),
    say: (who: Origin, command: string, values: Values = {}) => surface.intake.command(who, command, values),
    paint: (who: Origin, prompt: string) => surface.intake.command(who, "image", { prompt }),
    /** Everything that was ever said or asked, and everything that is stored. */
    traces: async () => {
      const rows = await core.database.kysely.selectFrom("kv").selectAll().execute();
      return JSON.stringify([surface.messages.map(({ views }) => views), surface.forms, rows]);
    },
  };
}

/** Which keys of the group are stored. */
const stored = async ({ vault }: TestCore) => ({
  paying: (await vault.get(groupOwner(CHAT))) !== undefined,
  retired: (await vault.retired()).length,
});

describe.concurrent("what managers can set", () => {
  it("is published to nobody", () => {
    expect(COMMAND_SPECS.map(({ name }) => name).filter((name) => name.startsWith("group"))).toEqual([]);
  });

  it("is for managers, and for groups", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    for (const command of ["group", "group-connect", "group-disconnect"]) {
      await chat.say(ann, command);
      await chat.say({ ...annAlone, manages: true }, command);
    }
    expect(chat.refused()).toEqual(Array.from({ length: 3 }, () => ["not_manager", "not_in_group"]).flat());
    expect(core.surface.forms).toEqual([]);
  });

  it("is shown, changed one by one and taken back", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    const untouched = {
      "field.locale": { key: "group.any_locale" },
      "field.operations": { key: "group.all_operations" },
      "field.rooms": { key: "group.all_rooms" },
      "group.key": { key: "group.key_none" },
      "field.member_daily": { params: { count: 20 } },
    };
    await chat.say(boss, "group");
    expect(chat.said()?.text.key).toBe("group.title");
    expect(chat.facts()).toMatchObject(untouched);
    await chat.say(boss, "group", { locale: "de", operations: "video, image" });
    await chat.say(boss, "group", { rooms: "1 2,1", member_daily: 0 });
    expect(chat.said()?.text.key).toBe("settings.done");
    expect(chat.facts()).toMatchObject({
      "field.locale": { params: { text: "Deutsch" } },
      "field.operations": { params: { operations: "video, image" } },
      "field.rooms": { params: { rooms: "1, 2" } },
      "field.member_daily": { params: { count: 0 } },
    });
    await chat.say(boss, "group", { locale: "all", operations: "all", rooms: "", member_daily: "all" });
    expect(chat.facts()).toMatchObject(untouched);
  });

  it("must fit", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    await chat.say(boss, "group", { operations: "video, dance" });
    await chat.say(boss, "group", { locale: "xx" });
    await chat.say(boss, "group", { member_daily: -1 });
    expect(chat.refused()).toEqual(["field_unknown_choice", "field_invalid", "field_invalid"]);
  });
});

describe.concurrent("a group's rules", () => {
  it("hold for every way to begin something, and nowhere else", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox, { sharedKey: sandbox.keys.ultra });
    const { surface } = core;
    const chat = conversation(core);
    await chat.paint(ann, "waves");
    const [made] = await surface.results(1);
    await chat.say(boss, "group", { operations: "video" });
    const tokens = [`again:${made?.job.id}`, `new-seed:${made?.job.id}`];
    for (const token of tokens) await surface.intake.act(ann, token);
    await chat.paint(ann, "more waves");
    await surface.intake.answer(ann, "image", { prompt: "more waves" });
    expect(chat.refused()).toEqual(Array.from({ length: 4 }, () => "operation_not_allowed"));
    const quoted = surface.intake.quote(ann, "image", { prompt: "waves" });
    await expect(quoted).rejects.toMatchObject({ code: "operation_not_allowed" });
    await chat.say(boss, "group", { operations: "all", rooms: "2, 3" });
    await chat.paint(ann, "waves");
    expect(surface.showing("problem").at(-1)?.problem).toEqual({
      code: "room_not_allowed",
      params: { rooms: "2, 3" },
    });
    await chat.paint({ ...ann, room: "3" }, "in the right room");
    await chat.paint(annAlone, "in private");
    await chat.paint({ ...ann, chat: "discord:200" }, "in another group");
    await surface.results(4);
  });

  it("hold for what goes on after a statement", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox, { sharedKey: sandbox.keys.ultra });
    const chat = conversation(core);
    const newcomer = { ...ann, agreed: [] };
    await chat.say(newcomer, "video", { image: { surface: "discord", id: photo }, prompt: "slow zoom" });
    const token = chat.said()?.actions?.[0]?.token ?? "";
    await chat.say(boss, "group", { operations: "image" });
    await core.surface.intake.act(newcomer, token);
    expect(chat.refused()).toEqual(["operation_not_allowed"]);
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });

  it("say which language is spoken with those who chose none", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const { intake } = core.surface;
    const chat = conversation(core);
    await chat.say(boss, "group", { locale: "de" });
    await chat.say(ben, "language", { locale: "pl" });
    const spoken = await Promise.all([ann, ben, annAlone].map((who) => intake.preferences(who)));
    expect(spoken.map(({ locale }) => locale)).toEqual(["de", "pl", "en"]);
  });
});

describe.concurrent("a group's own key", () => {
  it("is asked for, checked, kept encrypted, and never shown", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    await chat.say(boss, "group-connect");
    const [form] = core.surface.forms;
    expect(form).toMatchObject({
      id: "group-connect",
      fields: [{ name: "key", control: "secret", required: true }],
    });
    await core.surface.intake.answer(boss, form?.id ?? "", { key: "not-a-key-of-the-service" });
    expect(chat.refused()).toEqual(["unauthorized"]);
    await core.surface.intake.answer(boss, form?.id ?? "", { key: sandbox.keys.pro });
    expect(chat.said()?.text.key).toBe("group.connected");
    await chat.say(boss, "group");
    expect(chat.facts()).toMatchObject({ "group.key": { key: "privacy.key_stored" } });
    expect(await chat.traces()).not.toContain(sandbox.keys.pro);
  });

  it("pays in the group for those who have none, and nowhere else", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox, { sharedKey: sandbox.keys.ultra, source: "operator" });
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
    await chat.say(ben, "connect", { key: sandbox.keys.standard });
    await chat.paint(ann, "ann's");
    await chat.paint(ben, "ben's");
    const [made] = await core.surface.results(2);
    const { submissions } = await sandbox.ledger();
    expect(submissions.map(({ account }) => account).toSorted()).toEqual(["pro", "standard"]);
    await chat.paint(annAlone, "in private");
    await core.surface.intake.act(annAlone, `again:${made?.job.id}`);
    await chat.paint({ ...ann, chat: "discord:200" }, "in another group");
    expect(chat.refused()).toEqual(["not_connected", "not_connected", "not_connected"]);
  });

  it("is not told from: neither what is left on it nor whose it is", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const { surface } = core;
    const chat = conversation(core);
    const key = sandbox.addAccount("poor", "standard", 10);
    await chat.say(boss, "group-connect", { key });
    await chat.paint(ann, "waves");
    const [made] = await surface.results(1);
    expect(made).toMatchObject({ balance: null, cost: expect.any(Number) as number });
    await chat.say(ann, "balance");
    expect(chat.said()).toMatchObject({ text: { key: "balance.group" }, facts: [] });
    await chat.say(ann, "stats");
    expect(chat.said()).toMatchObject({ text: { key: "stats.shared" } });
    const images = [{ surface: "discord", id: photo } as const];
    const long = { prompt: "waves", duration: 30, size: "1080p", images };
    expect(await surface.intake.quote(ann, "vid3", long)).toMatchObject({ tokens: 105.6, balance: null });
    await chat.say(ann, "vid3", long);
    expect(surface.showing("problem").at(-1)?.problem).toEqual({ code: "shared_tokens_missing", params: {} });
  });

  it("pays for as many jobs a day and member as its managers set", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox, {
      settings: { REELAY_DAILY_CAP: "3", REELAY_CHAT_DAILY_CAP: "1" },
    });
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.ultra });
    await chat.say(boss, "group", { member_daily: 2 });
    await Promise.all(["one", "two", "three"].map((prompt) => chat.paint(ann, prompt)));
    expect(chat.refused()).toEqual(["daily_cap"]);
    await chat.paint(ben, "one");
    const made = await core.surface.results(3);
    await chat.say(boss, "group");
    expect(chat.facts()).toMatchObject({ "group.today": { params: { count: 3 } } });
    // Neither deleting them nor being forgotten gives anything back.
    for (const { job } of made) await core.surface.intake.act(ann, `delete-now:${job.id}`);
    await core.surface.intake.act(ann, `forget-now:${Date.now() + 60_000}`);
    expect(chat.said()?.text.key).toBe("forget.done");
    await chat.paint(ann, "four");
    expect(chat.refused().at(-1)).toBe("daily_cap");
    await chat.say(boss, "group", { member_daily: "all" });
    await chat.paint(ann, "four");
    await chat.paint(ann, "five");
    await core.surface.results(2);
    expect(chat.refused().filter((code) => code === "daily_cap")).toHaveLength(3);
  });

  it("pays for as many tokens as its managers set, of each member and of all together", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox, { settings: { REELAY_DAILY_BUDGET: "0" } });
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.ultra });
    await chat.say(boss, "group", { day_tokens: 500, member_month_tokens: 400.5 });
    expect(chat.facts()).toMatchObject({
      "field.day_tokens": { params: { tokens: 500 } },
      "field.member_month_tokens": { params: { tokens: 400.5 } },
      "budget.chat.day": { params: { left: 500, budget: 500 } },
    });
    await chat.paint(ann, "one");
    const [made] = await core.surface.results(1);
    const cost = made?.cost ?? Number.NaN;
    await chat.say(boss, "group");
    expect(chat.facts()).toMatchObject({ "budget.chat.day": { params: { left: 500 - cost } } });
    await chat.say(boss, "group", { member_month_tokens: cost });
    await chat.paint(ann, "two");
    expect(chat.refused()).toEqual(["budget_spent"]);
    await chat.paint(ben, "one");
    await core.surface.results(2);
    await chat.say(boss, "group", { day_tokens: 0 });
    await chat.paint(ben, "two");
    expect(chat.refused()).toEqual(["budget_spent", "budget_spent"]);
    await chat.say(boss, "group", { day_tokens: "all", member_month_tokens: "all" });
    expect(chat.facts()).not.toHaveProperty(["field.day_tokens"]);
    await chat.paint(ann, "two");
    await core.surface.results(3);
    await chat.say(boss, "group", { day_tokens: 0.001 });
    expect(chat.refused().at(-1)).toMatch(/^field_/);
  });

  it("does not go with a person who is forgotten", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
    await chat.say(boss, "group", { locale: "pl" });
    await core.surface.intake.act(boss, `forget-now:${Date.now() + 60_000}`);
    expect(chat.said()?.text.key).toBe("forget.done");
    await chat.paint(ann, "waves");
    await core.surface.results(1);
    expect(await core.surface.intake.preferences(ann)).toMatchObject({ locale: "pl" });
  });

  it("outlives a rotation of the secret", async () => {
    await using sandbox = await testSandbox();
    const data = temporaryFolder();
    await using core = await groupCore(sandbox, { data });
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
    const secret = `a newer secret for tests,${core.config.secret}`;
    const vault = await testVault({ data, secret }, core.database, makeLogger({ level: "silent" }));
    expect(await vault.rotate()).toEqual({ rewritten: 1, unreadable: 0 });
    expect((await vault.get(groupOwner(CHAT)))?.reveal()).toBe(sandbox.keys.pro);
  });
});

describe.concurrent("a group's key that is taken away", () => {
  it("is erased at once where nothing needs it", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
    await chat.say(boss, "group-disconnect");
    expect(chat.said()?.text.key).toBe("group.disconnected");
    expect(await stored(core)).toEqual({ paying: false, retired: 0 });
    await chat.paint(ann, "waves");
    expect(chat.refused()).toEqual(["not_connected"]);
  });

  it.each([
    ["by a manager", (core: TestCore) => conversation(core).say(boss, "group-disconnect")],
    [
      "for another one",
      (core: TestCore, key: string) => conversation(core).say(boss, "group-connect", { key }),
    ],
    ["when the group has another id", (core: TestCore) => core.surface.intake.groupMoved(CHAT, "web:moved")],
    ["when the group is left", (core: TestCore) => core.surface.intake.forgetGroup(CHAT)],
  ])("fetches what it paid for and pays for nothing more: %s", async (_, takeAway) => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const { surface } = core;
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
    await chat.paint(ann, "waves");
    await surface.until(() => surface.showing("progress").some(({ phase }) => phase === "running"));
    await takeAway(core, sandbox.keys.standard);
    expect((await stored(core)).retired).toBe(1);
    await chat.paint(ben, "later");
    const jobs = (await stored(core)).paying ? 2 : 1;
    await surface.results(jobs);
    const accounts = (await sandbox.ledger()).submissions.map(({ account }) => account);
    expect(accounts).toEqual(["pro", "standard"].slice(0, jobs));
    await vi.waitFor(async () => expect((await stored(core)).retired).toBe(0), PATIENCE_MS);
  });

  it("is erased after a restart too", async () => {
    await using sandbox = await testSandbox();
    const data = temporaryFolder();
    const first = await groupCore(sandbox, { data });
    await conversation(first).say(boss, "group-connect", { key: sandbox.keys.pro });
    await first.vault.move(groupOwner(CHAT), `retired ${CHAT} abc`);
    await first[Symbol.asyncDispose]();
    await using second = await groupCore(sandbox, { data });
    expect(await stored(second)).toEqual({ paying: false, retired: 0 });
  });

  it("goes with the rules when the group is left", async () => {
    await using sandbox = await testSandbox();
    await using core = await groupCore(sandbox);
    const chat = conversation(core);
    await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
    await chat.say(boss, "group", { locale: "pl", rooms: "7" });
    await core.surface.intake.forgetGroup(CHAT);
    expect(await stored(core)).toEqual({ paying: false, retired: 0 });
    await chat.say(boss, "group");
    expect(chat.facts()).toMatchObject({ "field.rooms": { key: "group.all_rooms" } });
    expect(await core.surface.intake.preferences(ann)).toMatchObject({ locale: "en" });
  });
});

it("a job under the group's key does not keep a person from connecting and removing their own", async () => {
  await using sandbox = await testSandbox();
  await using core = await groupCore(sandbox);
  const chat = conversation(core);
  await chat.say(boss, "group-connect", { key: sandbox.keys.pro });
  await chat.paint(ann, "waves");
  await chat.say(ann, "connect", { key: sandbox.keys.standard });
  await chat.say(ann, "disconnect");
  expect(chat.refused()).toEqual([]);
  expect(core.surface.showing("result")).toEqual([]);
  await core.surface.results(1);
});
