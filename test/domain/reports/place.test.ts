import { describe, expect, it } from "vitest";
import type { Origin } from "../../../src/seam/origin.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import {
  buttonsOf,
  GROUP,
  harness,
  type Harness,
  lastSaid,
  madeInGroup,
  member,
  operator,
  shownFirst,
  takenDown,
  told,
} from "./harness.ts";

/** Somebody who moderates a group, as the platform says with what they press. */
const moderator = (chat = GROUP): Origin => ({ ...member("mod", chat), moderates: true });

/** Presses a button, and says what was answered. */
async function press({ surface }: Harness, by: Origin, token: string): Promise<string> {
  await surface.intake.act(by, token);
  return lastSaid(surface);
}

const shownButtons = ({ surface }: Harness) => buttonsOf(surface.messages.at(-1)?.views.at(-1));

/** The tokens of a list's lines. */
async function listed({ surface }: Harness, by: Origin): Promise<readonly string[]> {
  const before = surface.showing("menu").length;
  await surface.intake.command(by, "reports", {});
  const menus = surface.showing("menu");
  if (menus.length === before) return [lastSaid(surface)];
  return (menus.at(-1)?.items ?? []).flatMap(({ actions }) => actions.map(({ token }) => token));
}

describe.concurrent("whoever moderates a group", () => {
  it("takes a result of it down, puts it back and lets it stand, and is written down as who did", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await core.surface.intake.act(member("bob"), `report:${job}`);
    expect(await listed(core, moderator())).toEqual(
      ["review", "withhold", "settle", "block"].map((name) => `${name}:${job}`),
    );
    expect(await press(core, moderator(), `withhold:${job}`)).toBe("report.state.taken_down");
    await takenDown(core);
    await told(core, job);
    expect(await press(core, moderator(), `restore:${job}`)).toBe("report.state.settled");
    await core.surface.until(() => shownFirst(core)?.kind === "result");
    // That whoever runs Reelay had looked at it would not be true.
    await core.surface.intake.act(member("dan"), `report:${job}`);
    expect(lastSaid(core.surface)).toBe("report.thanks.settled_here");
    const audit = await Audit.open(core.database, "digest");
    const lines = (await audit.read({ user: "telegram:mod", limit: 9 })).toReversed();
    expect(lines.map(({ act, chat }) => `${act} ${chat}`)).toEqual([`withhold ${GROUP}`, `restore ${GROUP}`]);
  });

  it("sees and decides nothing of another place, nothing private, and nothing once they moderate it no more", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await core.surface.intake.act(member("bob"), `report:${job}`);
    const elsewhere = moderator("telegram:-200");
    expect(await listed(core, elsewhere)).toEqual(["reports.none"]);
    for (const name of ["review", "withhold", "settle", "block"]) {
      expect(await press(core, elsewhere, `${name}:${job}`)).toBe("not_yours");
      expect(await press(core, member("mod"), `${name}:${job}`)).toBe("not_operator");
    }
    const { chat: _, ...inPrivate } = moderator();
    expect(await listed(core, inPrivate)).toEqual(["not_operator"]);
    await core.surface.intake.command({ ...member("ann"), chat: "telegram:ann" }, "image", {
      prompt: "waves",
    });
    expect(shownFirst(core)?.kind).toBe("result");
  });

  it("keeps a person out of that place alone, and lets them in again", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await core.surface.intake.act(member("bob"), `report:${job}`);
    await press(core, moderator(), `block:${job}`);
    expect(shownButtons(core)).toContain("unblock");
    await core.surface.intake.command(member("ann"), "image", { prompt: "waves" });
    expect(lastSaid(core.surface)).toBe("blocked_here");
    await core.surface.intake.command(member("ann", "telegram:-200"), "image", { prompt: "waves" });
    await core.surface.results(2);
    await press(core, moderator(), `settle:${job}`);
    // What was settled is in the list no more; whom the group keeps out is.
    expect(await listed(core, moderator())).toEqual(["unblock:telegram:ann"]);
    expect(await press(core, moderator("telegram:-200"), "unblock:telegram:ann")).toBe("report.let_in");
    expect(await listed(core, moderator())).toEqual(["unblock:telegram:ann"]);
    expect(await press(core, moderator(), "unblock:telegram:ann")).toBe("report.let_in");
    await core.surface.intake.command(member("ann"), "image", { prompt: "hills" });
    await core.surface.results(3);
  });

  it("keeps one who moderates it out as everybody else, before a price, and leaves them what they decide", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const { surface } = core;
    const job = await madeInGroup(core);
    const ann: Origin = { ...member("ann"), moderates: true, manages: true };
    const jobsOf = async () => (await surface.intake.jobs.list(ann.user, { limit: 9 })).length;
    await press(core, moderator(), `block:${job}`);
    await expect(surface.intake.quote(ann, "image", { prompt: "waves" })).rejects.toThrow("blocked_here");
    await surface.intake.command(ann, "image", { prompt: "waves" });
    expect(lastSaid(surface)).toBe("blocked_here");
    expect(await jobsOf()).toBe(1);
    await surface.intake.command(ann, "group", {});
    expect(lastSaid(surface)).toBe("group.title");
    expect(await listed(core, ann)).toContain("unblock:telegram:ann");
    expect(await press(core, ann, "unblock:telegram:ann")).toBe("report.let_in");
    await surface.intake.command(ann, "image", { prompt: "waves" });
    await surface.results(2);
  });

  it("leaves up what stays in the operator's list until they decided, too, and is overruled then", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await core.surface.intake.act(member("bob"), `report:${job}`);
    expect(await press(core, moderator(), `settle:${job}`)).toBe("report.state.settled");
    await core.page.until(() => buttonsOf(core.page.messages[0]?.views.at(-1)).includes("settle"));
    expect(await listed(core, moderator())).toEqual(["reports.none"]);
    await core.page.intake.command(operator, "reports", {});
    const [item] = core.page.showing("menu").at(-1)?.items ?? [];
    expect(item?.job).toBe(job);
    expect(item?.actions.map(({ token }) => token)).toContain(`settle:${job}`);
    await core.page.intake.act(operator, `settle:${job}`);
    await core.page.intake.command(operator, "reports", {});
    expect(lastSaid(core.page)).toBe("reports.none");
    expect(await press(core, moderator(), `withhold:${job}`)).toBe("operator_decided");
  });

  it("decides as a moderator what stays such when an operator is made of them, and the other way round", async () => {
    await using sandbox = await testSandbox();
    const data = temporaryFolder();
    const named = (name: string) => ({ data, settings: { REELAY_OPERATORS: `telegram:${name}` } });
    const jobs: string[] = [];
    {
      await using core = await harness(sandbox, named("11"));
      for (const user of ["telegram:12", "telegram:11"] as const) {
        const by = { ...moderator(), user };
        await core.surface.intake.command(member("ann"), "image", { prompt: "waves" });
        const job = (await core.surface.results(1)).at(-1)?.job.id ?? "";
        await told(core, job);
        expect(await press(core, by, `withhold:${job}`)).toBe("report.state.taken_down");
        await core.surface.until(() => core.surface.showing("result").length === 0);
        await told(core, job);
        jobs.push(job);
      }
    }
    await using core = await harness(sandbox, named("12"));
    await core.page.intake.command(operator, "reports", {});
    const listing = core.page.showing("menu").at(-1)?.items ?? [];
    expect(new Set(listing.map(({ job }) => job))).toEqual(new Set(jobs));
    const other = { ...moderator(), user: "telegram:other" } as const;
    const answers = [];
    for (const job of jobs) answers.push(await press(core, other, `restore:${job}`));
    expect(answers).toEqual(["report.state.settled", "operator_decided"]);
  });

  it("never lifts what the operator decided, who lifts what they did", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await madeInGroup(core);
    await core.page.intake.act(operator, `withhold:${job}`);
    await takenDown(core);
    await told(core, job);
    for (const name of ["restore", "review"])
      expect(await press(core, moderator(), `${name}:${job}`)).toBe("operator_decided");
    expect(await listed(core, moderator())).toEqual([`block:${job}`]);
    await core.page.intake.act(operator, `block:${job}`);
    await press(core, moderator(), "unblock:telegram:ann");
    await core.surface.intake.command(member("ann"), "image", { prompt: "waves" });
    expect(lastSaid(core.surface)).toBe("blocked");
    await press(core, moderator(), `block:${job}`);
    await core.page.intake.act(operator, "unblock:telegram:ann");
    await core.surface.intake.command(member("ann"), "image", { prompt: "waves" });
    await core.surface.results(1);
  });

  it("keeps people out of the group also under its new id, and of one that the bot left nothing stays", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await press(core, moderator(), `block:${await madeInGroup(core)}`);
    await core.surface.intake.groupMoved(GROUP, "telegram:-300");
    await core.surface.intake.command(member("ann", "telegram:-300"), "image", { prompt: "waves" });
    expect(lastSaid(core.surface)).toBe("blocked_here");
    await core.surface.intake.forgetGroup("telegram:-300");
    await core.surface.intake.command(member("ann", "telegram:-300"), "image", { prompt: "waves" });
    await core.surface.results(2);
  });
});
