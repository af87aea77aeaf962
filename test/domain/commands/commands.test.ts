import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type FileHandle, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Origin } from "../../../src/seam/origin.ts";
import type { MediaRef, Values } from "../../../src/seam/values.ts";
import type { Action, View } from "../../../src/seam/views.ts";
import { between } from "../../support/between.ts";
import { testCore, type TestCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";
import { eventually } from "../../support/eventually.ts";
import { heldRenderer } from "../../transcripts/held.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const ann = person("ann");
const ben = person("ben");
let photo: MediaRef;

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
});

/** A conversation with the core, as a person has it. */
function conversation({ surface }: TestCore) {
  const shown = () => surface.messages.flatMap(({ views }) => views.at(-1) ?? []);
  return {
    shown,
    last: () => shown().at(-1),
    say: (who: Origin, command: string, values: Values = {}) => surface.intake.command(who, command, values),
    press: (who: Origin, { token }: Action) => surface.intake.act(who, token),
    /** Makes a video and waits for it. */
    async make(who: Origin, prompt = "slow zoom") {
      await surface.intake.command(who, "video", { image: photo, prompt });
      await surface.until(() => results(shown(), prompt).length > 0);
      const [made] = results(shown(), prompt);
      if (!made) throw new Error("There is no result.");
      return made;
    },
  };
}

function results(views: readonly View[], prompt: string) {
  return views.filter((view) => view.kind === "result").filter(({ job }) => job.values["prompt"] === prompt);
}

/** The button with this name. */
function button(view: View | undefined, key: Action["label"]["key"]): Action {
  const own = view && "actions" in view ? (view.actions ?? []) : [];
  const inItems = view?.kind === "menu" ? view.items.flatMap(({ actions }) => actions) : [];
  const found = [...own, ...inItems].find(({ label }) => label.key === key);
  if (!found) throw new Error(`There is no button ${key}.`);
  return found;
}

describe("under a result", () => {
  it("again makes the same once more, and a new variation with another seed", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    const first = await chat.make(ann);
    const newSeed = button(first, "action.new_seed_for");
    // As it stands under older results.
    await chat.press(ann, { ...newSeed, token: newSeed.token.replace("new-seed", "again") });
    await chat.press(ann, newSeed);
    await core.surface.results(3);
    const made = results(chat.shown(), "slow zoom").map(({ job }) => job.values);
    expect(made.map(({ image, duration }) => [image, duration])).toEqual(made.map(() => [photo, 6]));
    expect(made.filter(({ seed }) => seed !== undefined)).toHaveLength(1);
  });

  it("details tells how it was made", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    const made = await chat.make(ann);
    await chat.press(ann, button(made, "action.details"));
    expect(chat.last()).toMatchObject({
      kind: "notice",
      text: { key: "details.title", params: { operation: "video" } },
      facts: [
        { label: "field.prompt", value: { params: { text: "slow zoom" } } },
        { label: "field.duration", value: { params: { text: "6" } } },
        { label: "field.steps", value: { params: { text: "4" } } },
        { label: "field.cfg", value: { params: { text: "1" } } },
        { label: "field.auto_upscale", value: { key: "fact.no" } },
      ],
    });
  });

  it("change opens the same choices to start from", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    await chat.press(ann, button(await chat.make(ann), "action.change"));
    const [form] = core.surface.forms;
    expect(form).toMatchObject({ id: "video", values: { image: photo, prompt: "slow zoom", duration: 6 } });
    await core.surface.intake.answer(ann, form?.id ?? "", { ...form?.values, duration: 3 });
    await core.surface.results(2);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("delete asks first, then deletes at the service and here", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    const made = await chat.make(ann);
    await chat.press(ann, button(made, "action.delete"));
    expect(chat.shown()[0]?.kind).toBe("result");
    await chat.press(ann, button(chat.last(), "action.delete_now"));
    expect(chat.shown()[0]).toMatchObject({ kind: "notice", text: { key: "job.deleted" } });
    expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "delete.done" } });
    const [submission] = (await sandbox.ledger()).submissions;
    const answer = await fetch(`${sandbox.url}/job/${submission?.job_id}`, {
      headers: { "X-API-Key": sandbox.keys.ultra },
    });
    expect(answer.status).toBe(404);
    await chat.press(ann, button(made, "action.new_seed_for"));
    expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "stale_button" } });
  });

  it("delete says so once it can be written, where the service has done it already", async () => {
    let isBroken = false;
    const sync = async (log: FileHandle) => {
      if (isBroken) throw new Error("EIO: i/o error, fdatasync");
      await log.datasync();
    };
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { sync });
    const chat = conversation(core);
    await chat.press(ann, button(await chat.make(ann), "action.delete"));
    const breakDown = (message: unknown) => {
      const { request } = message as { readonly request: { readonly method: string } };
      isBroken ||= request.method === "DELETE";
    };
    subscribe("undici:request:headers", breakDown);
    const pressed = chat.press(ann, button(chat.last(), "action.delete_now"));
    await vi.waitUntil(() => isBroken, { timeout: PATIENCE_MS });
    unsubscribe("undici:request:headers", breakDown);
    await sleep(300);
    isBroken = false;
    await pressed;
    expect(chat.shown().filter(({ kind }) => kind === "problem")).toEqual([]);
    expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "delete.done" } });
    expect(await core.database.kysely.selectFrom("jobs").select("id").execute()).toEqual([]);
  });

  it("is deleted once, and a second press is told that it is", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    await chat.press(ann, button(await chat.make(ann), "action.delete"));
    const deleting = button(chat.last(), "action.delete_now");
    // A second one finds nothing any more; so does the one before it, where the process was killed before it said so.
    await chat.press(ann, deleting);
    await chat.press(ann, deleting);
    expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "job.deleted" } });
    await core.surface.intake.act(ann, deleting.token.replace("delete-now", "delete-here"));
    expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "job.deleted" } });
    expect(chat.shown().filter(({ kind }) => kind === "problem")).toEqual([]);
  });

  it("no button works for anybody else", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    const made = await chat.make(ann);
    for (const action of made.actions) {
      await chat.press(ben, action);
      expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "not_yours" }, charged: 0 });
    }
    await core.surface.intake.act(ben, `delete-now:${made.job.id}`);
    expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "not_yours" } });
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});

describe("a job that waits", () => {
  it("can be cancelled for free, one that has begun cannot", async () => {
    await using sandbox = await testSandbox();
    await using line = await between(sandbox);
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    // Twins leave one after another: the second waits until the first one's answer is there.
    line.change = async ({ method }) => {
      if (method === "POST") await late;
      return undefined;
    };
    await using core = await testCore(line);
    const chat = conversation(core);
    await chat.say(ann, "video", { image: photo, prompt: "slow zoom" });
    await core.surface.until(() =>
      chat.shown().some((view) => view.kind === "progress" && view.phase === "submitting"),
    );
    await chat.say(ben, "video", { image: photo, prompt: "slow zoom" });
    await core.surface.until(() => chat.shown().length === 2);
    const cancel = button(chat.last(), "action.cancel");
    await chat.press(ben, cancel);
    await core.surface.until(() => chat.shown()[1]?.kind === "notice");
    expect(chat.shown()[1]).toMatchObject({ text: { key: "job.cancelled" } });
    await chat.press(ben, cancel);
    // Pressed once more, it is what it was, not too late, and whoever pressed is told so.
    expect(chat.shown()[2]).toMatchObject({ kind: "notice", text: { key: "job.cancelled" } });
    answer();
    await core.surface.results(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});

describe("a job that is going on", () => {
  it("cannot be deleted nor shown again yet", async () => {
    const { render, holds } = heldRenderer();
    const release = holds();
    await using sandbox = await testSandbox({ render });
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    await chat.say(ann, "video", { image: photo, prompt: "slow zoom" });
    await core.surface.until(() => chat.shown().length > 0);
    const [first] = chat.shown();
    const id = first?.kind === "progress" ? first.job.id : "";
    for (const token of [`delete:${id}`, `delete-now:${id}`, `show:${id}`]) {
      await core.surface.intake.act(ann, token);
      expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "job_busy" }, charged: 0 });
    }
    release();
    await core.surface.results(1);
  });
});

describe("the list of jobs", () => {
  it("shows one's own, page by page, newest first", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    await chat.say(ann, "jobs");
    expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "jobs.none" } });
    for (let nth = 1; nth <= 10; nth++) await chat.say(ann, "video", { image: photo, prompt: `nth ${nth}` });
    await chat.say(ben, "video", { image: photo, prompt: "ben's" });
    await chat.say(ann, "jobs");
    const page = chat.shown().find((view) => view.kind === "menu");
    expect(page?.items.map(({ title }) => title.params?.["text"])).toEqual(
      [10, 9, 8, 7, 6, 5, 4, 3].map((nth) => `nth ${nth}`),
    );
    await chat.press(ann, button(page, "action.older"));
    const older = chat.shown().filter((view) => view.kind === "menu");
    expect(older.at(-1)?.items.map(({ title }) => title.params?.["text"])).toEqual(["nth 2", "nth 1"]);
    await core.surface.results(11);
  });

  it("is emptied by one person without touching what others made under the same key", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    await chat.make(ann, "ann's first");
    await chat.make(ann, "ann's second");
    await chat.make(ben, "ben's");
    await chat.say(ann, "delete-all");
    expect(chat.last()).toMatchObject({ text: { key: "delete_all.ask", params: { count: 2 } } });
    await chat.press(ann, button(chat.last(), "action.delete_all_now"));
    expect(chat.last()).toMatchObject({ text: { key: "delete.done", params: { count: 2 } } });
    await chat.say(ann, "delete-all");
    expect(chat.last()).toMatchObject({ text: { key: "delete_all.none" } });
    expect(results(chat.shown(), "ben's")).toHaveLength(1);
    for (const press of ["delete-all-now", "forget-now", "forget-all"])
      for (const carried of [Date.now() - 1, Date.now() + 3_600_000, "soon", "Infinity", ""]) {
        await core.surface.intake.act(ben, `${press}:${carried}`);
        expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "stale_button" } });
      }
    await chat.say(ben, "jobs");
    expect(chat.last()).toMatchObject({ kind: "menu", items: [{ title: { params: { text: "ben's" } } }] });
  });

  it("says what is not deleted because it still goes on", async () => {
    await using sandbox = await testSandbox({ timeScale: 5 });
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    await chat.say(ann, "delete-all");
    expect(chat.last()).toMatchObject({ text: { key: "delete_all.none" }, facts: [] });
    await chat.say(ann, "video", { image: photo, prompt: "slow zoom" });
    await chat.say(ann, "delete-all");
    await eventually(() =>
      expect(chat.last()).toMatchObject({
        text: { key: "delete_all.none" },
        facts: [{ label: "delete_all.going_on", value: { params: { count: 1 } } }],
      }),
    );
  });

  it("says how many were deleted and how many were not where the service refuses in between", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const chat = conversation(core);
    for (const prompt of ["first", "second", "third"]) await chat.make(ann, prompt);
    // What is shown is noted as told a moment later; until then it goes on.
    const open = core.database.kysely.selectFrom("jobs").select("id").where("delivery", "!=", "delivered");
    await vi.waitFor(async () => expect(await open.execute()).toEqual([]), { timeout: PATIENCE_MS });
    const refuse = (skip?: number) =>
      sandbox.fault({ kind: "403", match: { method: "DELETE" }, times: 3, ...(skip && { skip }) });
    await refuse(2);
    await chat.say(ann, "delete-all");
    const now = button(chat.last(), "action.delete_all_now");
    await chat.press(ann, now);
    expect(chat.last()).toMatchObject({
      text: { key: "delete.done", params: { count: 2 } },
      facts: [{ label: "delete.left", value: { params: { count: 1 } } }],
    });
    await chat.press(ann, now);
    expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "not_deleted" } });
    await sandbox.clearFaults();
    await chat.press(ann, now);
    expect(chat.last()).toMatchObject({ text: { key: "delete.done", params: { count: 1 } } });
  });
});

describe("a key of one's own", () => {
  it("is checked, kept encrypted, used, and forgotten", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { sharedKey: undefined });
    const chat = conversation(core);
    await chat.say(ann, "video", { image: photo, prompt: "slow zoom" });
    expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "not_connected" } });
    await chat.say(ann, "connect", { key: "not-a-key-of-the-service" });
    expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "unauthorized" } });
    await chat.say(ann, "connect", { key: sandbox.keys.pro });
    expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "connect.done" } });
    expect(JSON.stringify(chat.shown())).not.toContain(sandbox.keys.pro);
    const rows = await core.database.kysely.selectFrom("kv").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(sandbox.keys.pro);

    await chat.make(ann);
    expect((await sandbox.ledger()).submissions[0]?.account).toBe("pro");
    await chat.say(ann, "balance");
    expect(chat.last()).toMatchObject({ text: { key: "balance.own" } });
    await chat.say(ann, "stats");
    expect(chat.last()).toMatchObject({ text: { key: "stats.title" } });
    await chat.say(ann, "disconnect");
    expect(chat.last()).toMatchObject({ text: { key: "disconnect.done" } });
    await chat.say(ann, "balance");
    expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "not_connected" } });
  });

  it("cannot be forgotten while a paid job needs it", async () => {
    const { render, holds } = heldRenderer();
    const release = holds();
    await using sandbox = await testSandbox({ render });
    await using core = await testCore(sandbox, { sharedKey: undefined });
    const chat = conversation(core);
    await chat.say(ann, "connect", { key: sandbox.keys.pro });
    await chat.say(ann, "video", { image: photo, prompt: "slow zoom" });
    await chat.say(ann, "disconnect");
    const problem = { code: "jobs_open", params: { count: 1 } };
    expect(chat.shown().find(({ kind }) => kind === "problem")).toMatchObject({ problem });
    await chat.say(ann, "connect", { key: sandbox.keys.standard });
    expect(chat.shown().filter(({ kind }) => kind === "problem")).toHaveLength(2);
    release();
    await core.surface.results(1);
  });
});

describe("the catalogue", () => {
  it("is searched by words, and variants belong to their template", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { intake } = core.surface;
    const all = await intake.suggest(ann, "video", "template", "", {});
    expect(all.length).toBeGreaterThanOrEqual(60);
    const found = await intake.suggest(ann, "video", "template", "SLOW zoom", {});
    expect(found[0]?.title).toBe("Slow zoom");
    expect(await intake.suggest(ann, "video", "sub_template", "", {})).toEqual([]);
    const variants = await intake.suggest(ann, "video", "sub_template", "", { template: found[0]?.value });
    expect(variants).toHaveLength(found[0]?.variants ?? 0);
    expect(all.some(({ value }) => value === variants[0]?.value)).toBe(false);
  });
});

it("an unknown command is a sentence", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox);
  const chat = conversation(core);
  await chat.say(ann, "dance");
  expect(chat.last()).toMatchObject({ kind: "problem", problem: { code: "unknown_command" } });
  await core.surface.intake.act(ann, "nonsense");
  expect(chat.last()).toMatchObject({ kind: "problem" });
  await chat.say(ann, "help");
  expect(chat.last()).toMatchObject({ kind: "notice", text: { key: "help.page" } });
});
