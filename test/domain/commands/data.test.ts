import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import type { FileView } from "../../../src/seam/views.ts";
import type { PersonExport } from "../../../src/domain/people/export-format.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { People } from "../../../src/domain/people/people.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { Traces } from "../../../src/domain/retention/traces.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { type TestCore, type TestCoreOptions, testCore } from "../../support/core.ts";
import { endedJob } from "../../support/job.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const ann = person("198765432", "telegram");
const ben = person("2", "telegram");

/** A core whose one platform is a chat platform. */
const chatCore = (sandbox: Parameters<typeof testCore>[0], options: TestCoreOptions = {}) =>
  testCore(sandbox, { surface: new MemorySurface("telegram"), ...options });

/** The digest of a photo, which stands in its name. */
let digest: string;
let photo: string;

beforeAll(async () => {
  const picture = Buffer.from(await testPicture(), "base64");
  digest = createHash("sha256").update(picture).digest("hex");
  photo = join(temporaryFolder(), digest);
  await writeFile(photo, picture);
});

const PROMPT = "a zebra in a bathtub";
const zebra = () => ({
  image: { surface: "telegram", id: photo, name: "me.jpg", bytes: 3 } as const,
  prompt: PROMPT,
});

const notices = ({ surface }: TestCore) => surface.showing("notice");
const said = (core: TestCore) => notices(core).at(-1)?.text.key;
const facts = (core: TestCore) =>
  Object.fromEntries((notices(core).at(-1)?.facts ?? []).map(({ label, value }) => [label, value]));
const problems = ({ surface }: TestCore) => surface.showing("problem").map(({ problem }) => problem.code);

async function press({ surface }: TestCore, command: string): Promise<void> {
  const actions = surface.showing("notice").flatMap(({ actions = [] }) => actions);
  const token = actions.map(({ token }) => token).findLast((token) => token.startsWith(`${command}:`));
  if (token === undefined) throw new Error(`There is no button ${command}.`);
  await surface.intake.act(ann, token);
}

/** Makes something and waits until it is noted that it was delivered, a moment after it was. */
async function make(core: TestCore): Promise<void> {
  const { surface } = core;
  await surface.intake.command(ann, "video", zebra());
  await surface.results(1);
  const ledger = new Ledger(core.database, "looking");
  await vi.waitFor(async () => expect(await ledger.count({ goingOn: true })).toBe(0), PATIENCE_MS);
}

/** Jobs of somebody that ended in the past, as many as no test makes. */
async function pastJobs({ database, vault }: TestCore, user = ann.user, count = 30): Promise<void> {
  const keyId = (await vault.get(user))?.fingerprint;
  // Each a process of its own: one that is not listed, and seen at work for as long as a lease, has its jobs taken over.
  const ledgerOf = (nth: number) => new Ledger(database, `past ${nth}`);
  for (let at = 1; at <= count; at += 1)
    await endedJob(
      ledgerOf(at),
      { user, surface: "telegram", values: zebra(), ...(keyId !== undefined && { keyId }) },
      { at, cost: 2, seconds: 3, toldAt: at + 9 },
    );
}

const files = ({ surface }: TestCore): FileView[] => surface.showing("file");
const exported = (core: TestCore) => files(core).map(({ file }) => JSON.parse(file.content) as PersonExport);

describe.concurrent("/privacy", () => {
  it("says what is kept, how much of it and since when, when it goes, and who gets what", async () => {
    await using sandbox = await testSandbox();
    const settings = {
      REELAY_KEEP_DAYS: "30",
      REELAY_KEEP_AUDIT_DAYS: "0",
      REELAY_TERMS_URL: "https://example.org/terms",
      REELAY_MODERATION_URL: "https://moderation.example.org/v1",
    };
    await using core = await chatCore(sandbox, { settings, source: "operator" });
    await pastJobs(core);
    await core.surface.intake.command(ann, "connect", { key: sandbox.keys.pro });
    await core.surface.intake.command(ann, "settings", { locale: "pl", spend_below: 5 });
    await new People(memory(core.database, "people")).declare(ann.user, "terms", {
      version: "1 https://example.org/older",
      at: 7,
      surface: "telegram",
    });
    await core.surface.intake.command({ ...ann, agreed: [] }, "video", zebra());
    await core.surface.intake.command(ann, "privacy", {});
    expect(facts(core)).toMatchObject({
      "privacy.key": { key: "privacy.key_stored" },
      "privacy.jobs": { params: { jobs: 30, at: 1 } },
      "privacy.jobs_there": { params: { count: 30 } },
      "privacy.files": { params: { count: 30 } },
      "privacy.statement.terms": { params: { at: 7, surface: "telegram", version: "1" } },
      "field.locale": { params: { text: "Polski" } },
      "field.spend_below": { params: { tokens: 5 } },
      "privacy.questions": { params: { count: 1 } },
      "privacy.audit": { params: { count: 1 } },
      "privacy.sums": { params: { jobs: 30, tokens: 60 } },
      "privacy.keep.jobs": { key: "privacy.after_days", params: { count: 30 } },
      "privacy.keep.audit": { key: "privacy.for_good" },
      "privacy.keep.usage": { params: { count: 730 } },
      "privacy.service": { params: { text: expect.stringContaining(new URL(sandbox.url).host) } },
      "privacy.moderation": { params: { text: "moderation.example.org" } },
      "fact.own_terms": { params: { text: "https://example.org/terms" } },
    });
  });

  it("answers those who are kept out, too, and says of strangers that there is nothing", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, { settings: { REELAY_BLOCKED: ann.user } });
    for (const name of ["privacy", "export", "withdraw", "forget"])
      await core.surface.intake.command(ann, name, {});
    await press(core, "forget-now");
    expect(problems(core)).toEqual([]);
    expect(said(core)).toBe("forget.done_but_block");
    await core.surface.intake.command(ben, "privacy", {});
    const shown = facts(core);
    expect(shown["privacy.jobs"]).toMatchObject({ params: { count: 0 } });
    // Of what stands in for the service an address says nothing.
    expect(shown["privacy.service"]).toEqual({ key: "privacy.service_sandbox" });
    expect(Object.keys(shown)).not.toContain("privacy.audit");
  });
});

describe.concurrent("/export", () => {
  it("is one JSON file of everything that is the person's, and of nothing else", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, { settings: { REELAY_AUDIT_INPUTS: "words" } });
    const { surface, database } = core;
    await surface.intake.command(ann, "connect", { key: sandbox.keys.pro });
    await make(core);
    await pastJobs(core, ben.user, 3);
    await surface.intake.command(ann, "export", {});
    expect(files(core)).toMatchObject([{ file: { name: "reelay-export.json", type: "application/json" } }]);
    const [all] = exported(core);
    expect(all).toMatchObject({
      format: "reelay-export",
      version: 1,
      part: 1,
      more: false,
      person: { id: ann.user, platform: "telegram" },
      key: "stored",
      settings: { locale: null, spendBelow: null },
      statements: [{ statement: "terms", version: "1" }, { statement: "consent" }, { statement: "faces" }],
      usage: [{ operation: "video", jobs: 1, successes: 1 }],
      jobs: [
        {
          operation: "video",
          state: "completed",
          results: 1,
          values: { prompt: PROMPT, image: { name: "me.jpg", bytes: 3 } },
        },
      ],
      reports: [],
    });
    expect(all?.audit.map(({ act }) => act)).toEqual(["allow", "agree", "agree", "agree"]);
    expect(all?.audit[0]?.content).toMatchObject({ prompt: PROMPT });
    const text = files(core)[0]?.file.content;
    for (const secret of [sandbox.keys.pro, photo, ben.user, "http"]) expect(text).not.toContain(secret);
    const [line] = await (await Audit.open(database, "digest")).read({ act: "export", limit: 1 });
    expect(line).toMatchObject({ user: ann.user, surface: "telegram" });
  });

  it("goes on in further files where a platform takes no larger ones, and loses nothing", async () => {
    await using sandbox = await testSandbox();
    const surface = new MemorySurface("telegram");
    Object.assign(surface.limits, { maxUploadBytes: 4_000 });
    await using core = await chatCore(sandbox, { surface });
    await pastJobs(core);
    await surface.intake.command(ann, "export", {});
    const parts = exported(core);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index + 1));
    expect(parts.map(({ more }) => more)).toEqual(parts.map((_, index) => index < parts.length - 1));
    expect(new Set(parts.flatMap(({ jobs }) => jobs.map(({ id }) => id))).size).toBe(30);
    for (const { file } of files(core)) expect(Buffer.byteLength(file.content)).toBeLessThanOrEqual(4_000);
    expect(files(core)[1]?.file.name).toBe("reelay-export-2.json");
  });
});

describe.concurrent("/withdraw", () => {
  it("takes one statement back, or all, and what needs it is asked again", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const { surface, database } = core;
    await make(core);
    await surface.intake.command(ann, "withdraw", { statement: "consent" });
    expect(facts(core)).toEqual({ "choice.statement.consent": { key: "withdraw.again.consent" } });
    await surface.intake.command({ ...ann, agreed: [] }, "video", zebra());
    expect(said(core)).toBe("statement.consent");
    await surface.intake.command(ann, "withdraw", {});
    expect(Object.keys(facts(core))).toEqual(["choice.statement.terms", "choice.statement.faces"]);
    await surface.intake.command(ann, "withdraw", {});
    expect(said(core)).toBe("withdraw.none");
    const lines = await (await Audit.open(database, "digest")).read({ act: "withdraw", limit: 9 });
    expect(lines.map(({ rule }) => rule)).toEqual(["faces", "terms", "consent"]);
  });
});

/** Every file of a data folder, as bytes are letters. */
async function everything(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile());
  return (
    await Promise.all(found.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")))
  ).join();
}

describe.concurrent("/forget", () => {
  it("leaves no trace of the person in any file of the data folder", async () => {
    await using sandbox = await testSandbox();
    const data = temporaryFolder();
    await using core = await chatCore(sandbox, { data, settings: { REELAY_AUDIT_INPUTS: "all" } });
    const { surface, database } = core;
    await surface.intake.command(ann, "connect", { key: sandbox.keys.pro });
    await make(core);
    await pastJobs(core, ann.user, 300);
    await pastJobs(core, ben.user, 100);
    await surface.intake.command(ann, "withdraw", {});
    await surface.intake.command({ ...ann, agreed: [] }, "video", zebra());
    const before = await everything(data);
    for (const trace of [ann.user, PROMPT, digest]) expect(before).toContain(trace);

    await new Ledger(database, "looking").forget(ben.user);
    await surface.intake.command(ann, "forget", {});
    await press(core, "forget-now");
    // So much takes a while: that it is under way is said at once.
    const last = notices(core).slice(-3);
    expect(last.map(({ text }) => text.key)).toEqual(["forget.ask", "forget.erasing", "forget.done"]);
    expect(surface.forgotten).toEqual([ann.user]);
    expect(await new Traces(database).compact(Date.now() + 1)).toBe("done");
    const after = await everything(data);
    for (const trace of [ann.user, "198765432", PROMPT, digest]) expect(after).not.toContain(trace);
    const [line] = await (await Audit.open(database, "digest")).read({ act: "forget", limit: 1 });
    expect(line).toMatchObject({ user: null, rule: "forget-now" });
    // The sums stay, under no name.
    const sums = await database.kysely.selectFrom("usage").select("user").execute();
    expect(sums).toHaveLength(401);
    expect(new Set(sums.map(({ user }) => user))).toEqual(new Set([null]));
  });

  it("deletes what was made at the service first, and says what could not be", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    await make(core);
    const ledger = new Ledger(core.database, "past");
    // Nothing can delete it there (section 4.14 names no endpoint for these).
    const request = { user: ann.user, surface: "telegram", operation: "imgpro-edit", values: {} } as const;
    await endedJob(ledger, request, { at: 1, cost: 1, seconds: 1, toldAt: 2 });
    await core.surface.intake.command(ann, "forget", {});
    await press(core, "forget-all");
    expect(said(core)).toBe("forget.done");
    expect(facts(core)).toMatchObject({
      "forget.deleted": { params: { count: 1 } },
      "forget.left": { params: { count: 1 } },
    });
    expect((await sandbox.ledger()).requests["delete"]).toBe(1);
    expect(await ledger.count({ user: ann.user })).toBe(0);
  });

  it("erases here what the service cannot be asked about, without trying for ever", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, { sharedKey: undefined });
    await pastJobs(core, ann.user, 25);
    await core.surface.intake.command(ann, "forget", {});
    await press(core, "forget-all");
    expect(notices(core).map(({ text }) => text.key)).toEqual(["forget.ask", "delete.begun", "forget.done"]);
    expect(facts(core)).toMatchObject({
      "forget.deleted": { params: { count: 0 } },
      "forget.left": { params: { count: 25 } },
    });
    expect(await new Ledger(core.database, "past").count({ user: ann.user })).toBe(0);
  });

  it("says at once that deleting everything takes a while, where the service takes so many a minute", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    await core.surface.intake.command(ann, "connect", { key: sandbox.keys.pro });
    await pastJobs(core, ann.user, 20);
    await core.surface.intake.command(ann, "delete-all", {});
    await press(core, "delete-all-now");
    const told = () => notices(core).flatMap(({ text: { key } }) => (key.startsWith("delete") ? key : []));
    expect(told()).toEqual(["delete_all.ask", "delete.done"]);
    await pastJobs(core, ann.user, 21);
    await core.surface.intake.command(ann, "delete-all", {});
    await press(core, "delete-all-now");
    expect(told().slice(2)).toEqual(["delete_all.ask", "delete.begun", "delete.done"]);
  });

  // Alone: what it breaks is everybody's.
  it("can be done again, to its end, after a crash anywhere in it", { concurrent: false }, async () => {
    await using sandbox = await testSandbox();
    const data = temporaryFolder();
    for (const step of ["forget", "remove", "declare"] as const) {
      await using core = await chatCore(sandbox, { data });
      await pastJobs(core, ann.user, 2);
      await core.surface.intake.command(ann, "connect", { key: sandbox.keys.pro });
      await core.surface.intake.command({ ...ann, agreed: [] }, "video", zebra());
      const broken =
        step === "forget"
          ? vi.spyOn(core.surface, "forget")
          : step === "remove"
            ? vi.spyOn(core.vault, "remove")
            : vi.spyOn(People.prototype, "forget");
      broken.mockRejectedValueOnce(new Error("The power went out."));
      await core.surface.intake.command(ann, "forget", {});
      await press(core, "forget-now");
      expect(problems(core)).toEqual(["internal"]);
      broken.mockRestore();
      await press(core, "forget-now");
      expect(said(core)).toBe("forget.done");
      expect(await core.vault.has(ann.user)).toBe(false);
      expect(await memory(core.database, "questions").entries()).toEqual([]);
      expect(await new Ledger(core.database, "past").count({ user: ann.user })).toBe(0);
    }
  });

  it("waits until what is paid for was delivered, also where the person has many newer jobs", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const ledger = new Ledger(core.database, "elsewhere");
    await endedJob(ledger, { user: ann.user, surface: "telegram" }, { at: 1, cost: 1 });
    await pastJobs(core, ann.user, 250);
    await core.surface.intake.command(ann, "forget", {});
    expect(problems(core)).toEqual(["jobs_open"]);
    await expect(ledger.forget(ann.user)).rejects.toMatchObject({ code: "jobs_open" });
    expect(await ledger.count({ user: ann.user })).toBe(251);
  });

  it("forgets no block, and nobody whose button is too old", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const { surface, database } = core;
    const blocks = new Blocks(memory(database, "blocks"), []);
    await blocks.add({ subject: ann.user, at: 1 });
    await surface.intake.act(ann, `forget-now:${Date.now() - 1}`);
    await surface.intake.act(ann, `forget-all:${Date.now() - 1}`);
    expect(problems(core)).toEqual(["stale_button", "stale_button"]);
    await surface.intake.act(ann, `forget-now:${Date.now() + 1_000}`);
    expect(said(core)).toBe("forget.done_but_block");
    expect(await blocks.has({ user: ann.user })).toBe(true);
  });

  it("erases what a partner's people stated together with the partner", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const people = new People(memory(core.database, "people"));
    await core.partners.add("Shop", { scopes: ["jobs:write"] });
    const declared = { version: "1", at: 1, surface: "http" } as const;
    for (const who of ["http:shop ann", "http:shop ben", "http:shopping ann"] as const)
      await people.declare(who, "terms", declared);
    await core.partners.remove("shop");
    expect((await memory(core.database, "people").entries()).map(([who]) => who)).toEqual([
      "http:shopping ann",
    ]);
  });
});
