import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Origin } from "../../../src/seam/origin.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { type TestCore, type TestCoreOptions, testCore } from "../../support/core.ts";
import { MemorySurface, person } from "../../support/surface.ts";

/** She was asked nothing about photos yet. */
const ann: Origin = { ...person("1", "telegram"), agreed: ["terms"] };

/** A core whose one platform is a chat platform. */
const chatCore = (sandbox: Parameters<typeof testCore>[0], options: TestCoreOptions = {}) =>
  testCore(sandbox, { surface: new MemorySurface("telegram"), ...options });

let photo: string;

beforeAll(async () => {
  photo = join(temporaryFolder(), "photo.jpg");
  await writeFile(photo, Buffer.from(await testPicture(), "base64"));
});

const zoom = () => ({ image: { surface: "telegram", id: photo }, prompt: "slow zoom" }) as const;

const inGroup = (name: string): Origin => ({
  ...person(name, "telegram"),
  chat: "telegram:-100",
  audience: "group",
});

const said = ({ surface }: TestCore) => surface.showing("notice").map(({ text }) => text.key);
const problems = ({ surface }: TestCore) => surface.showing("problem").map(({ problem }) => problem.code);

const templates = ({ surface }: TestCore) =>
  surface.intake.suggest(ann, "video", "template", "wine evening", {});

/** Presses the first button of what was said last. */
async function pressFirst({ surface }: TestCore, origin: Origin = ann): Promise<void> {
  const token = surface.showing("notice").at(-1)?.actions?.[0]?.token;
  if (token === undefined) throw new Error("There is no button.");
  await surface.intake.act(origin, token);
}

describe.concurrent("the statement about people in photos", () => {
  it("is asked once, and what was asked for goes on once it is given", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    await core.surface.intake.command(ann, "video", zoom());
    expect(said(core)).toEqual(["statement.consent"]);
    expect((await sandbox.ledger()).submissions).toHaveLength(0);
    await pressFirst(core);
    await core.surface.results(1);
    await core.surface.intake.command(ann, "video", zoom());
    await core.surface.results(2);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("cannot be given by somebody else, nor twice", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    await core.surface.intake.command(ann, "video", zoom());
    await pressFirst(core, person("2", "telegram"));
    expect(problems(core)).toEqual(["not_yours"]);
    const token = core.surface.showing("notice")[0]?.actions?.[0]?.token ?? "";
    await core.surface.intake.act(ann, token);
    await core.surface.intake.act(ann, token);
    expect(problems(core)).toEqual(["not_yours"]);
    expect(said(core).at(-1)).toBe("error.already_begun");
    await core.surface.results(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});

describe("a process that is killed while what a statement was asked for goes on", () => {
  it("loses nothing: the platform hands the press on again, and one job is made", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    await core.surface.intake.command(ann, "video", zoom());
    using add = vi.spyOn(Ledger.prototype, "add").mockReturnValueOnce(new Promise(() => {}));
    const press = () => pressFirst(core, { ...ann, request: "telegram:7" });
    void press();
    await expect.poll(() => add.mock.calls).toHaveLength(1);
    await press();
    await core.surface.results(1);
    // Killed at the very end, before the platform heard that the press was dealt with.
    await press();
    expect(problems(core)).toEqual([]);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});

/** What is left of budgets, as `/balance` tells it. */
async function left(core: TestCore, origin = ann) {
  await core.surface.intake.command(origin, "balance", {});
  const facts = core.surface.showing("notice").at(-1)?.facts ?? [];
  return Object.fromEntries(
    facts.flatMap(({ label, value }) =>
      label.startsWith("budget.") ? [[label, Number(value.params?.["left"])]] : [],
    ),
  );
}

describe.concurrent("the operator's key", () => {
  it("pays for nobody on a chat platform who was not named", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, { source: "operator" });
    await core.surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    expect(problems(core)).toEqual(["not_connected"]);
  });

  it("pays for whom the operator named, up to the cap of a day", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_OPERATOR_KEY_FOR: "telegram:1", REELAY_DAILY_CAP: "2" };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    for (const prompt of ["one", "two", "three"]) await core.surface.intake.command(ann, "image", { prompt });
    expect(problems(core)).toEqual(["daily_cap"]);
    await core.surface.results(2);
  });

  // Among tests that run at once, only a test's own `expect` knows which one it belongs to when it polls.
  it("counts nothing that came to nothing and cost nothing", async ({ expect: own }) => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const settings = { REELAY_OPERATOR_KEY_FOR: "telegram:1", REELAY_DAILY_CAP: "1" };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    const counted = async () =>
      (await memory(core.database, "tally").entries()).filter(([key]) => key.startsWith("job "));
    const failed = () => problems(core).filter((code) => code === "job_failed").length;
    for (const nth of [1, 2]) {
      await core.surface.intake.command(ann, "image", { prompt: "one" });
      await core.surface.until(() => failed() === nth);
      await own.poll(counted).toEqual([]);
    }
    expect(problems(core)).not.toContain("daily_cap");
  });

  it("pays for whom the operator named, up to a budget, and says what is left and when that is little", async () => {
    await using sandbox = await testSandbox();
    const settings = {
      REELAY_OPERATOR_KEY_FOR: "telegram:1",
      REELAY_DAILY_BUDGET: "1000",
      REELAY_MONTHLY_BUDGET: "2000",
      REELAY_KEY_DAILY_BUDGET: "5000",
      REELAY_BUDGET_WARNING: "1",
    };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    const { surface } = core;
    expect(await left(core)).toEqual({ "budget.person.day": 1000, "budget.person.month": 2000 });
    await surface.intake.command(ann, "image", { prompt: "one" });
    const [first] = await surface.results(1);
    await surface.intake.command(ann, "image", { prompt: "two" });
    await surface.results(2);
    const cost = first?.cost ?? Number.NaN;
    expect(await left(core)).toEqual({
      "budget.person.day": 1000 - 2 * cost,
      "budget.person.month": 2000 - 2 * cost,
    });
    // The price of the first was not known: the dearest was held for it.
    expect(said(core).filter((key) => key === "budget.warning")).toHaveLength(2);
    const told = surface
      .showing("notice")
      .flatMap(({ text }) => (text.key === "budget.warning" ? [text.params] : []));
    expect(told[0]).toMatchObject({ whose: "person", during: "day", budget: 1000, spent: 105.6 });
  });

  it("pays for nothing more once a budget is spent, and says so", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_OPERATOR_KEY_FOR: "telegram:1", REELAY_DAILY_BUDGET: "0" };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    await core.surface.intake.command(ann, "image", { prompt: "one" });
    expect(core.surface.showing("problem").map(({ problem }) => problem)).toMatchObject([
      { code: "budget_spent", params: { whose: "person", during: "day", spent: 0, budget: 0 } },
    ]);
    // Before anybody fills in the rest, too.
    await expect(core.surface.intake.quote(ann, "image", { prompt: "one" })).rejects.toThrow("budget_spent");
    expect((await sandbox.ledger()).submissions).toHaveLength(0);
  });

  it("has a budget for all together, whose numbers are the operator's alone", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_OPERATOR_KEY_FOR: "telegram:1", REELAY_KEY_MONTHLY_BUDGET: "0" };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    await core.surface.intake.command(ann, "image", { prompt: "one" });
    expect(core.surface.showing("problem").map(({ problem }) => problem)).toEqual([
      { code: "shared_budget_spent", params: { during: "month", until: expect.any(Number) } },
    ]);
    expect(await left(core)).toEqual({});
  });

  it("has the operator told where reports go when that budget is spent for the most part", async () => {
    await using sandbox = await testSandbox();
    const settings = {
      REELAY_OPERATOR_KEY_FOR: "telegram:1",
      REELAY_KEY_MONTHLY_BUDGET: "120",
      REELAY_REPORTS_TO: "telegram:99",
    };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    await core.surface.intake.command(ann, "image", { prompt: "one" });
    const told = () => core.surface.showing("notice").filter(({ text }) => text.key === "budget.warning");
    expect(told().map(({ text }) => text.params)).toMatchObject([
      { whose: "key", during: "month", budget: 120 },
    ]);
    await core.surface.results(1);
    await core.surface.intake.command(ann, "image", { prompt: "two" });
    await core.surface.results(2);
    expect(told()).toHaveLength(1);
  });

  it("gives back to a budget what came to nothing and cost nothing", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const settings = { REELAY_OPERATOR_KEY_FOR: "telegram:1", REELAY_DAILY_BUDGET: "50" };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    await core.surface.intake.command(ann, "image", { prompt: "one" });
    await core.surface.until(() => problems(core).includes("job_failed"));
    expect(await left(core)).toEqual({ "budget.person.day": 50 });
  });

  it("pays in a group that was named, up to the group's cap", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_OPERATOR_KEY_FOR: "telegram:-100", REELAY_CHAT_DAILY_CAP: "1" };
    await using core = await chatCore(sandbox, { source: "operator", settings });
    await core.surface.intake.command(inGroup("1"), "image", { prompt: "one" });
    await core.surface.intake.command(inGroup("2"), "image", { prompt: "two" });
    expect(problems(core)).toEqual(["chat_cap"]);
    await core.surface.intake.command(ann, "image", { prompt: "in private" });
    expect(problems(core)).toEqual(["chat_cap", "not_connected"]);
  });

  it.for([
    { named: "telegram:1", origin: ann, told: true },
    { named: "all", origin: ann, told: false },
    { named: "telegram:1,telegram:-100", origin: inGroup("1"), told: false },
  ])(
    "has what is left on it told: $told, where $named is who it pays for",
    async ({ named, origin, told }) => {
      await using sandbox = await testSandbox();
      const settings = { REELAY_OPERATOR_KEY_FOR: named };
      await using core = await chatCore(sandbox, { source: "operator", settings });
      const { surface } = core;
      await surface.intake.command(origin, "balance", {});
      const facts = surface.showing("notice").at(-1)?.facts ?? [];
      expect(facts.some(({ label }) => label === "fact.balance")).toBe(told);
      const quote = await surface.intake.quote(origin, "image", { prompt: "one" });
      expect(quote.balance !== null).toBe(told);
      await surface.intake.command(origin, "image", { prompt: "one" });
      const [made] = await surface.results(1);
      expect(typeof made?.balance === "number").toBe(told);
    },
  );
});

describe.concurrent("what a key has left", () => {
  it("is read once for all who share it and ask at the same time", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const reads = async () => (await sandbox.ledger()).requests["user"] ?? 0;
    const before = await reads();
    const quotes = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        core.surface.intake.quote(person(`${nth}`, "telegram"), "video-audio", { prompt: "x" }),
      ),
    );
    expect(new Set(quotes.map(({ balance }) => balance))).toEqual(new Set([5_000.75]));
    expect((await reads()) - before).toBe(1);
  });
});

describe.concurrent("the operator's rules", () => {
  it("keep out whoever is not invited", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, { settings: { REELAY_ALLOWED: "telegram:2" } });
    await core.surface.intake.command(ann, "help", {});
    await core.surface.intake.command(person("2", "telegram"), "help", {});
    expect(problems(core)).toEqual(["not_invited"]);
    expect(said(core)).toEqual(["help.page"]);
    const browsing = core.surface.intake.suggest(ann, "video", "template", "", {});
    await expect(browsing).rejects.toMatchObject({ code: "not_invited" });
  });

  it("stop blocked words before anything is sent", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, { settings: { REELAY_BLOCKED_WORDS: "dragon" } });
    await core.surface.intake.command(ann, "image", { prompt: "a Drágon" });
    expect(problems(core)).toEqual(["words_blocked"]);
    expect((await sandbox.ledger()).submissions).toHaveLength(0);
  });
});

describe.concurrent("the full catalogue", () => {
  it("opens in private to whoever said to be 18 or older, where the operator allows it", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox, {
      settings: { REELAY_FULL_CATALOG: "private", REELAY_MATURE: "on" },
    });
    expect(await templates(core)).toEqual([]);
    await core.surface.intake.command(ann, "adult", {});
    await pressFirst(core);
    expect(await core.surface.intake.preferences(ann)).toMatchObject({ stated: ["adult"] });
    expect(await templates(core)).toMatchObject([{ value: "wine-evening", mature: true }]);
    const template = "wine-evening";
    await core.surface.intake.command(ann, "video", { ...zoom(), template });
    await pressFirst(core);
    const [result] = await core.surface.results(1);
    expect(result?.job.values).toMatchObject({ template });
  });

  it("stays closed where the operator does not", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    await core.surface.intake.command(ann, "adult", {});
    await pressFirst(core);
    expect(await templates(core)).toEqual([]);
  });
});

describe.concurrent("one's own settings", () => {
  it("are shown in a form, kept, and used", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const { surface } = core;
    expect(await surface.intake.preferences(ann)).toEqual({ locale: "en", spendBelow: null, stated: [] });
    await surface.intake.command(ann, "settings", { spend_below: 5 });
    await surface.intake.command(ann, "language", { locale: "pl" });
    expect(await surface.intake.preferences(ann)).toMatchObject({ locale: "pl", spendBelow: 5 });
    await surface.intake.command(ann, "settings", {});
    expect(surface.forms.at(-1)).toMatchObject({ id: "settings", values: { locale: "pl", spend_below: 5 } });
    expect(await surface.intake.preferences(person("2", "telegram"))).toEqual({
      locale: "en",
      spendBelow: null,
      stated: [],
    });
  });

  it("say what may begin without being confirmed; what is stated each time never may", async () => {
    await using sandbox = await testSandbox();
    await using core = await chatCore(sandbox);
    const { intake } = core.surface;
    const may = (tokens: number | null, name = "video") =>
      intake.mayBegin(ann, name, zoom(), { tokens, basis: "exact", balance: null });
    expect(await may(1)).toBe(false);
    await intake.command(ann, "settings", { spend_below: 5 });
    expect(await Promise.all([may(5), may(5.1), may(null), may(1, "faceswap")])).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await intake.mayBegin(ann, "video", { ...zoom(), image: undefined })).toBe(false);
    core.surface.rights = "unknown";
    expect(await may(5)).toBe(false);
  });
});
