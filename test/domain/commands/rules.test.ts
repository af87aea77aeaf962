import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Values } from "../../../src/seam/values.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { serve } from "../../infrastructure/api/server.ts";
import { type TestCore, type TestCoreOptions, testCore } from "../../support/core.ts";
import { openModeration } from "../../support/moderation.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";

type Settings = Readonly<Record<string, string>>;

let photo: string;

beforeAll(async () => {
  photo = join(temporaryFolder(), "photo.jpg");
  await writeFile(photo, Buffer.from(await testPicture(), "base64"));
});

/** Somebody who has stated nothing yet. */
const newcomer: Origin = { ...person("1", "telegram"), agreed: [] };

const picture = () => ({ surface: "telegram", id: photo }) as const;
const zoom = (prompt = "slow zoom"): Values => ({ image: picture(), prompt });

const inGroup = (name: string): Origin => ({
  ...person(name, "telegram"),
  chat: "telegram:-100",
  audience: "group",
});

const settingsOf = ({ url, key }: { url: string; key: string }): Settings => ({
  REELAY_MODERATION_URL: url,
  REELAY_MODERATION_KEY: key,
});

/** A core whose one platform is a chat platform, and the sandbox behind it. */
async function openCore(settings: Settings = {}, options: TestCoreOptions = {}) {
  const sandbox = await testSandbox();
  const core = await testCore(sandbox, { surface: new MemorySurface("telegram"), settings, ...options });
  const audit = await Audit.open(core.database, "digest");
  return {
    core,
    /** What was written down, the first first. */
    lines: async () =>
      (await audit.read({ limit: 100 })).toReversed().map(({ act, rule }) => [act, rule].join(" ").trim()),
    audit,
    ask: (origin: Origin, operation: string, values: Values) =>
      core.surface.intake.command(origin, operation, values),
    sent: async () => (await sandbox.ledger()).submissions.length,
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const said = ({ surface }: TestCore) => surface.showing("notice").map(({ text }) => text.key);
const problems = ({ surface }: TestCore) => surface.showing("problem").map(({ problem }) => problem);

/** Presses the first button of what was said last. */
async function press({ surface }: TestCore, origin: Origin = newcomer): Promise<void> {
  const token = surface.showing("notice").at(-1)?.actions?.[0]?.token;
  if (token === undefined) throw new Error("There is no button.");
  await surface.intake.act(origin, token);
}

describe.concurrent("statements", () => {
  it("are asked for one after the other, and what was asked for goes on", async () => {
    await using place = await openCore();
    const { core } = place;
    await place.ask(newcomer, "video", zoom());
    expect(said(core)).toEqual(["statement.terms"]);
    await press(core);
    expect(said(core)).toEqual(["statement.terms", "statement.consent"]);
    expect(await place.sent()).toBe(0);
    await press(core);
    await core.surface.results(1);
    await place.ask(newcomer, "video", zoom());
    await core.surface.results(2);
    expect(await place.lines()).toEqual([
      "ask terms",
      "agree terms 1",
      "ask consent",
      "agree consent 1",
      "allow",
      "allow",
    ]);
  });

  it("name the host's own terms, and are asked again when those move", async () => {
    const data = temporaryFolder();
    const termsUrl = (url: string) => ({ REELAY_TERMS_URL: url, REELAY_DATA: data });
    {
      await using place = await openCore(termsUrl("https://host.test/terms-1"), { data });
      await place.ask(newcomer, "image", { prompt: "a lighthouse" });
      expect(place.core.surface.showing("notice")[0]?.facts?.[0]?.value.params).toEqual({
        text: "https://host.test/terms-1",
      });
      await press(place.core);
      await place.core.surface.results(1);
    }
    await using place = await openCore(termsUrl("https://host.test/terms-2"), { data });
    await place.ask(newcomer, "image", { prompt: "a lighthouse" });
    expect(said(place.core)).toEqual(["statement.terms"]);
  });

  it("make one job of a request, however fast the button is pressed again", async () => {
    await using place = await openCore();
    const { core } = place;
    await place.ask(newcomer, "image", { prompt: "a lighthouse" });
    await Promise.all([press(core), press(core), press(core)]);
    await core.surface.results(1);
    expect(await place.sent()).toBe(1);
    expect((await place.lines()).filter((line) => line === "allow")).toHaveLength(1);
  });

  it("count in the wording that was read: a button from before it changed asks anew", async () => {
    const data = temporaryFolder();
    const termsUrl = (url: string) => ({ REELAY_TERMS_URL: url, REELAY_DATA: data });
    let token = "";
    {
      await using place = await openCore(termsUrl("https://host.test/terms-1"), { data });
      await place.ask(newcomer, "image", { prompt: "a lighthouse" });
      token = place.core.surface.showing("notice")[0]?.actions?.[0]?.token ?? "";
    }
    await using place = await openCore(termsUrl("https://host.test/terms-2"), { data });
    await place.core.surface.intake.act(newcomer, token);
    expect(said(place.core)).toEqual(["statement.terms"]);
    expect(await place.sent()).toBe(0);
    await press(place.core);
    await place.core.surface.results(1);
    expect(await place.lines()).toEqual(["ask terms", "agree terms 1 https://host.test/terms-2", "allow"]);
  });

  it("are made for every face swap, also for one that is made again", async () => {
    await using place = await openCore();
    const { core } = place;
    const ann: Origin = { ...newcomer, agreed: ["terms"] };
    await place.ask(ann, "faceswap", { target: picture(), source: picture() });
    expect(said(core)).toEqual(["statement.faces"]);
    await press(core);
    const [first] = await core.surface.results(1);
    await core.surface.intake.act(newcomer, `again:${first?.job.id}`);
    expect(said(core)).toEqual(["statement.faces", "statement.faces"]);
    expect(await place.sent()).toBe(1);
    await press(core);
    await core.surface.results(2);
  });
});

describe.concurrent("the operator's rules", () => {
  it("keep people out who are blocked, but not from what is kept about them", async () => {
    await using place = await openCore({ REELAY_BLOCKED: "telegram:2" });
    const { core } = place;
    const bob = person("2", "telegram");
    await place.ask(bob, "video", zoom());
    await new Blocks(memory(core.database, "blocks"), []).add({ subject: "telegram:1", at: 1 });
    await place.ask(newcomer, "video", zoom());
    expect(problems(core).map(({ code }) => code)).toEqual(["blocked", "blocked"]);
    await core.surface.intake.command(bob, "privacy", {});
    await core.surface.intake.command(bob, "forget", {});
    expect(said(core)).toEqual(["privacy.text", "forget.ask"]);
  });

  it("switch operations off on a platform: they are neither offered nor made", async () => {
    await using place = await openCore({ REELAY_OPERATIONS_OFF: "telegram:faceswap,web:video" });
    const offered = place.core.surface.intake.commands.map(({ name }) => name);
    expect(offered).not.toContain("faceswap");
    expect(offered).toContain("video");
    const ann = person("1", "telegram");
    await place.ask(ann, "faceswap", { target: picture(), source: picture() });
    expect(problems(place.core)).toEqual([{ code: "operation_off", params: { operation: "faceswap" } }]);
    await expect(
      place.core.surface.intake.quote(ann, "faceswap", { target: picture(), source: picture() }),
    ).rejects.toThrow("operation_off");
  });

  it("bound what goes on at once, of a person and of a group", async () => {
    await using place = await openCore({ REELAY_AT_ONCE: "2", REELAY_CHAT_AT_ONCE: "3" });
    const ask = (name: string) => place.ask(inGroup(name), "image", { prompt: "a lighthouse" });
    expect([await ask("1"), await ask("1"), await ask("1")]).toEqual([true, true, false]);
    expect([await ask("2"), await ask("2")]).toEqual([true, false]);
    expect(problems(place.core)).toEqual([
      { code: "at_once_cap", params: { max: 2 } },
      { code: "chat_at_once_cap", params: { max: 3 } },
    ]);
    await place.core.surface.results(3);
    expect(await ask("2")).toBe(true);
    expect((await place.lines()).filter((line) => line.startsWith("refuse"))).toEqual([
      "refuse at_once_cap",
      "refuse chat_at_once_cap",
    ]);
  });
});

describe.concurrent("what is refused", () => {
  it("is not sent, costs nothing, and is written down without a word of it", async () => {
    await using place = await openCore();
    const ann = person("1", "telegram");
    await place.ask(ann, "video", zoom("make her n​u​d​e"));
    expect(problems(place.core)).toEqual([{ code: "undressing_refused", params: {} }]);
    expect(await place.sent()).toBe(0);
    const [line] = await place.audit.read({ act: "refuse", limit: 10 });
    expect(line).toMatchObject({
      user: "telegram:1",
      surface: "telegram",
      operation: "video",
      rule: "undressing_refused",
      job: null,
      content: null,
      digest: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(JSON.stringify(line)).not.toContain("her");
  });

  it("is told before anybody has to state anything", async () => {
    await using place = await openCore({ REELAY_BLOCKED_WORDS: "dragon" });
    await place.ask(newcomer, "video", zoom("a dr4g0n"));
    expect(problems(place.core).map(({ code }) => code)).toEqual(["words_blocked"]);
    expect(said(place.core)).toEqual([]);
  });
});

describe.concurrent("the operator's moderation", () => {
  it("sees words and picture of what nothing else refuses, and nothing of what is refused anyway", async () => {
    await using endpoint = await openModeration({
      flag: ({ text }) => (text.includes("harm") ? ["violence"] : []),
    });
    await using place = await openCore(settingsOf(endpoint.settings));
    const ann = person("1", "telegram");
    await place.ask(ann, "video", zoom("take off her clothes"));
    await place.ask({ ...newcomer, user: "telegram:3" }, "video", zoom("harmless"));
    expect(endpoint.requests()).toBe(0);
    await place.ask(ann, "video", zoom("harm"));
    expect(endpoint.asked.map(({ text, picture }) => [text, picture !== undefined])).toEqual(
      expect.arrayContaining([
        ["harm", false],
        ["", true],
      ]),
    );
    expect(problems(place.core).at(-1)).toEqual({
      code: "moderation_refused",
      params: { categories: "violence" },
    });
    await place.ask(ann, "video", zoom("slow zoom"));
    await place.core.surface.results(1);
    expect(await place.sent()).toBe(1);
  });

  it.each([
    ["closed", ["moderation_down"], 0],
    ["open", [], 1],
  ] as const)("that is down keeps the way %s", async (down, codes, jobs) => {
    await using place = await openCore({
      // Nobody listens there.
      REELAY_MODERATION_URL: "http://127.0.0.1:9/v1/moderations",
      REELAY_MODERATION_DOWN: down,
    });
    const made = await place.ask(person("1", "telegram"), "image", { prompt: "a lighthouse" });
    expect(problems(place.core).map(({ code }) => code)).toEqual(codes);
    expect(made).toBe(jobs === 1);
    await place.core.surface.results(jobs);
  });

  it("sees what is sent: a picture by its address may not change in between", async () => {
    await using endpoint = await openModeration();
    const pictures = [await testPicture(), await testPicture(400, 300)];
    let reads = 0;
    await using address = await serve((_, response) => {
      // Read once to know it, once to be examined, once to be sent.
      const picture = pictures[reads++ < 2 ? 0 : 1] ?? "";
      response.writeHead(200, { "content-type": "image/jpeg" }).end(Buffer.from(picture, "base64"));
    });
    await using place = await openCore({
      ...settingsOf(endpoint.settings),
      REELAY_PRIVATE_HOSTS: "127.0.0.1",
    });
    const image = { surface: "telegram", id: `${address.origin}/photo.jpg` } as const;
    await place.ask(person("1", "telegram"), "video", { image, prompt: "slow zoom" });
    await place.core.surface.until(() => problems(place.core).length > 0);
    expect(problems(place.core)).toEqual([{ code: "media_changed", params: {} }]);
    expect(await place.sent()).toBe(0);
  });
});
