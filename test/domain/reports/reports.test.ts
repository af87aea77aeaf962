import { describe, expect, it, vi } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { testCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { type MemorySurface, person } from "../../support/surface.ts";
import {
  buttonsOf,
  isNotice,
  lastSaid,
  madeInGroup,
  member,
  operator,
  shownFirst,
  harness,
  type Harness,
  takenDown,
  told,
} from "./harness.ts";

const report = ({ surface }: Harness, who: string, job: string) =>
  surface.intake.act(member(who), `report:${job}`);

/** Has a result of the group taken down by two reports. */
async function withheld(core: Harness): Promise<string> {
  const job = await madeInGroup(core);
  await report(core, "bob", job);
  await report(core, "cleo", job);
  await takenDown(core);
  await told(core, job);
  // Operators are told by themselves, sooner or later: what is said next is no answer to them.
  await core.page.until(() =>
    core.page.messages.some(({ views }) => isNotice(views.at(-1), "report.state.withheld")),
  );
  return job;
}

/** Presses a button of the operator's on the page, and says what was answered. */
async function press({ page }: Harness, token: string): Promise<string> {
  await page.intake.act(operator, token);
  return lastSaid(page);
}

/** The page's notice about the first report, as it is now. */
const notice = ({ page }: Harness) => page.messages[0]?.views.at(-1);

async function acts({ database }: Harness, job: string): Promise<string[]> {
  const audit = await Audit.open(database, "digest");
  const lines = await audit.read({ job, limit: 20 });
  return lines.map(({ act, user }) => `${act} ${user ?? "reports"}`).toReversed();
}

describe.concurrent("a report", () => {
  it("is offered to everybody in a group, and nowhere else", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await madeInGroup(core);
    await core.surface.intake.command(person("ann", "telegram"), "image", { prompt: "waves" });
    const results = await core.surface.results(2);
    expect(results.map((view) => buttonsOf(view).includes("report"))).toEqual([true, false]);
  });

  it("counts once a person of that group, and operators are told", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await report(core, "bob", job);
    expect(lastSaid(core.surface)).toBe("report.thanks.open");
    await report(core, "bob", job);
    expect(lastSaid(core.surface)).toBe("report.thanks.before");
    await core.surface.intake.act(member("eve", "telegram:-200"), `report:${job}`);
    expect(lastSaid(core.surface)).toBe("not_yours");
    await core.surface.intake.act(person("eve", "telegram"), `report:${job}`);
    expect(lastSaid(core.surface)).toBe("not_yours");
    await core.page.until(() => isNotice(notice(core), "report.state.open"));
    expect(notice(core)).toMatchObject({ text: { params: { count: 1 } } });
    expect(buttonsOf(notice(core))).toEqual(["review", "withhold", "settle", "block"]);
    expect(shownFirst(core)?.kind).toBe("result");
    expect(await acts(core, job)).toEqual(["allow telegram:ann", "report telegram:bob"]);
  });

  it("that is one too many takes the result down, tells operators anew, once, and its owner why", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await withheld(core);
    expect(buttonsOf(shownFirst(core))).toEqual([]);
    const toldOfIt = () =>
      core.page.messages
        .flatMap(({ views }) => views)
        .filter((view) => isNotice(view, "report.state.withheld"));
    await core.page.until(() => core.page.messages.length === 2);
    expect(toldOfIt().map(buttonsOf)).toEqual([["review", "restore", "block"]]);
    expect(core.page.messages.at(-1)?.views.at(-1)).toBe(toldOfIt()[0]);
    expect((await acts(core, job)).slice(1)).toEqual([
      "report telegram:bob",
      "report telegram:cleo",
      "withhold reports",
    ]);
    const { intake } = core.surface;
    for (const button of ["again", "new-seed", "change", "show"]) {
      await intake.act(member("ann"), `${button}:${job}`);
      expect(lastSaid(core.surface)).toBe("result_withheld");
    }
    await intake.act(member("ann"), `details:${job}`);
    expect(lastSaid(core.surface)).toBe("details.title");
    await intake.command(member("ann"), "jobs", {});
    expect(core.surface.showing("menu").at(-1)?.items[0]?.detail?.params).toMatchObject({
      state: "withheld",
    });
  });

  it("takes nothing down where no number is set", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox, { settings: { REELAY_REPORTS_TO_WITHHOLD: "0" } });
    const job = await madeInGroup(core);
    for (const who of ["bob", "cleo", "dan"]) await report(core, who, job);
    await core.page.until(() => {
      const view = notice(core);
      return view?.kind === "notice" && view.text.params?.["count"] === 3;
    });
    expect(core.page.messages).toHaveLength(1);
    expect(shownFirst(core)?.kind).toBe("result");
  });
});

const offers = ({ intake }: MemorySurface) => intake.commands.some(({ name }) => name === "reports");

describe.concurrent("an operator", () => {
  it("puts a result back, which further reports leave alone", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await withheld(core);
    expect(await press(core, `restore:${job}`)).toBe("report.state.settled");
    await core.surface.until(() => shownFirst(core)?.kind === "result");
    await core.page.until(() =>
      core.page.messages.some(({ views }) => isNotice(views.at(-1), "report.state.settled")),
    );
    expect(buttonsOf(core.page.messages.at(-1)?.views.at(-1))).toEqual(["review", "withhold", "block"]);
    await report(core, "dan", job);
    expect(lastSaid(core.surface)).toBe("report.thanks.settled");
    expect(shownFirst(core)?.kind).toBe("result");
    expect((await acts(core, job)).at(-2)).toBe("restore web:me");
  });

  it("takes a result down before that many report it, or leaves it", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    expect(await press(core, `settle:${job}`)).toBe("report.state.settled");
    await report(core, "bob", job);
    await report(core, "cleo", job);
    expect(shownFirst(core)?.kind).toBe("result");
    expect(await press(core, `withhold:${job}`)).toBe("report.state.taken_down");
    await takenDown(core);
    // Another operator's older notice.
    expect(await press(core, `settle:${job}`)).toBe("report.state.taken_down");
    expect((await acts(core, job)).filter((line) => line.endsWith("web:me"))).toEqual([
      "settle web:me",
      "withhold web:me",
    ]);
  });

  it("looks at a result, covered and without its owner's buttons, whatever became of it", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await withheld(core);
    await core.page.until(() => isNotice(core.page.messages.at(-1)?.views.at(-1), "report.state.withheld"));
    expect(await press(core, `review:${job}`)).toBe("result");
    const shown = core.page.showing("result").at(-1);
    expect(shown).toMatchObject({ spoiler: true, actions: [], balance: null });
    expect(core.page.messages.at(-1)?.files[0]?.length).toBeGreaterThan(100);
    expect(isNotice(shownFirst(core), "report.withheld")).toBe(true);
  });

  it("keeps its owner out, and lets them in again", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await report(core, "bob", job);
    await press(core, `block:${job}`);
    expect(buttonsOf(core.page.messages.at(-1)?.views.at(-1))).toContain("unblock");
    await core.surface.intake.command(member("ann"), "image", { prompt: "waves" });
    expect(lastSaid(core.surface)).toBe("blocked");
    expect(await press(core, "unblock:telegram:ann")).toBe("report.let_in");
    await core.page.until(() => buttonsOf(notice(core)).includes("block"));
    await core.surface.intake.command(member("ann"), "image", { prompt: "waves" });
    await core.surface.results(2);
  });

  it("finds what waits in a list that the page offers, and chat platforms do not", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    expect([offers(core.page), offers(core.surface)]).toEqual([true, false]);
    await core.page.intake.command(operator, "reports", {});
    expect(lastSaid(core.page)).toBe("reports.none");
    const job = await withheld(core);
    await core.page.intake.command(operator, "reports", {});
    const [item, ...more] = core.page.showing("menu").at(-1)?.items ?? [];
    expect(more).toEqual([]);
    expect(item?.actions.map(({ token }) => token)).toContain(`restore:${job}`);
  });

  it("is nobody on a chat platform whom the settings do not name", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox, { settings: { REELAY_OPERATORS: "telegram:77" } });
    const job = await madeInGroup(core);
    for (const token of ["review", "withhold", "restore", "settle", "block"].map(
      (name) => `${name}:${job}`,
    )) {
      await core.surface.intake.act(member("bob"), token);
      expect(lastSaid(core.surface)).toBe("not_operator");
    }
    await core.surface.intake.command(member("bob"), "reports", {});
    expect(lastSaid(core.surface)).toBe("not_operator");
    await core.surface.intake.act(person("77", "telegram"), `withhold:${job}`);
    await takenDown(core);
  });

  it("in the group where reports are told is answered by the notice alone", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_OPERATORS: "telegram:77", REELAY_REPORTS_TO: "telegram:-900" };
    await using core = await harness(sandbox, { settings });
    const job = await madeInGroup(core);
    await report(core, "bob", job);
    const shown = () => core.surface.messages.at(-1)?.views.at(-1);
    await core.surface.until(() => isNotice(shown(), "report.state.open"));
    const { length } = core.surface.messages;
    await core.surface.intake.act(member("77", "telegram:-900"), `withhold:${job}`);
    await core.surface.until(() => isNotice(shown(), "report.state.taken_down"));
    expect(core.surface.messages).toHaveLength(length);
  });
});

describe("what is on its way", () => {
  it("when it is withheld is taken down as soon as it has arrived", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    core.surface.beforePost = async (view) => {
      if (view.kind !== "result") return;
      begun.resolve();
      await go.promise;
    };
    await core.surface.intake.act(member("ann"), `show:${job}`);
    await begun.promise;
    await press(core, `withhold:${job}`);
    go.resolve();
    await takenDown(core);
    await told(core, job);
    expect(isNotice(shownFirst(core), "report.withheld")).toBe(true);
  });

  it("is tried again where the platform does not take it", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    const failed = vi.fn<() => void>();
    core.surface.beforePost = (view) => {
      if (!isNotice(view, "report.withheld") || failed.mock.calls.length > 0) return;
      failed();
      throw new Error("The platform is down.");
    };
    core.page.beforePost = core.surface.beforePost;
    await press(core, `withhold:${job}`);
    await takenDown(core);
    expect(failed).toHaveBeenCalled();
  });

  it("to operators is tried again, too", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    const reach = vi.spyOn(core.page, "reach").mockRejectedValueOnce(new Error("The platform is down."));
    await report(core, "bob", job);
    await core.page.until(() => isNotice(notice(core), "report.state.open"));
    expect(reach).toHaveBeenCalledTimes(2);
  });
});

describe("a decision in a process that is not connected to where the result is", () => {
  it("is carried out by one that is", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await using elsewhere = await testCore(sandbox, { data: core.config.data });
    await elsewhere.surface.intake.act(operator, `withhold:${job}`);
    expect(lastSaid(elsewhere.surface)).toBe("report.state.taken_down");
    await core.adopt();
    await takenDown(core);
  });
});
