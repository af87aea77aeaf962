import { describe, expect, it } from "vitest";
import type { Origin } from "../../../src/seam/origin.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { testSandbox } from "../../support/sandbox.ts";
import {
  buttonsOf,
  GROUP,
  harness,
  type Harness,
  isNotice,
  lastSaid,
  madeInGroup,
  member,
  operator,
  takenDown,
  told,
} from "./harness.ts";

/** Somebody who manages the group. */
const manager: Origin = { ...member("mod"), manages: true, moderates: true };

/** What somebody is told on the group's platform, where each is the newest view of a message. */
const toldTo = ({ surface }: Harness, to: string) =>
  surface.messages
    .filter(({ address }) => address["to"] === to)
    .flatMap(({ views }) => views.at(-1) ?? [])
    .filter((view) => view.kind === "notice" && view.facts !== undefined);

/** The notices there that are none any more, as they are shown. */
const leftIn = ({ surface }: Harness, to: string) =>
  surface.messages
    .filter(({ address }) => address["to"] === to)
    .flatMap(({ views }) => views.at(-1) ?? [])
    .filter((view) => isNotice(view, "report.left"));

/** Chooses where the group's reports go. */
const chooses = ({ surface }: Harness, to: string) =>
  surface.intake.command(manager, "group", { reports_to: to });

const rows = ({ database }: Harness) =>
  database.kysely.selectFrom("report_notices").select(["job", "audience"]).orderBy("audience").execute();

/** A result of the group that Bob reported. */
async function reported(core: Harness): Promise<string> {
  const job = await madeInGroup(core);
  await core.surface.intake.act(member("bob"), `report:${job}`);
  return job;
}

describe.concurrent("where those who manage a group are told of reports", () => {
  it("is a notice of theirs, which follows what the operator decides, and then offers no decision", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await chooses(core, "77");
    const job = await reported(core);
    const notice = () => toldTo(core, "telegram:77");
    await core.surface.until(() => buttonsOf(notice()[0]).includes("withhold"));
    await core.page.intake.act(operator, `withhold:${job}`);
    await core.surface.until(() => buttonsOf(notice()[0]).join() === "block");
    expect(notice()).toHaveLength(1);
    expect(JSON.stringify(notice())).not.toMatch(/report\.by|web:me|lighthouse|bob/);
  });

  it("is told of what waits when it is chosen, once", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const job = await reported(core);
    await chooses(core, "77");
    await core.surface.until(() => toldTo(core, "telegram:77").length === 1);
    await chooses(core, "78");
    await core.surface.until(() => toldTo(core, "telegram:78").length === 1);
    await core.surface.intake.act(manager, `withhold:${job}`);
    await core.surface.until(() => buttonsOf(toldTo(core, "telegram:78")[0]).includes("restore"));
    // What stands in the place before loses its buttons and its names.
    await core.surface.until(() => leftIn(core, "telegram:77").length === 1);
    expect(toldTo(core, "telegram:77")).toEqual([]);
    expect(JSON.stringify(leftIn(core, "telegram:77"))).not.toMatch(/action|ann/);
    expect(toldTo(core, "telegram:78")).toHaveLength(1);
    await takenDown(core);
    await told(core, job);
  });

  it("takes the buttons from all notices before where it is nowhere, also what was decided, and what was posted meanwhile", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await chooses(core, "77");
    const job = await reported(core);
    await core.surface.until(() => toldTo(core, "telegram:77").length === 1);
    await core.surface.intake.act(manager, `settle:${job}`);
    await core.surface.until(() => !buttonsOf(toldTo(core, "telegram:77")[0]).includes("settle"));
    await chooses(core, "all");
    await core.surface.until(() => leftIn(core, "telegram:77").length === 1);
    await chooses(core, "78");
    // While it is posted there, another place is chosen.
    let chosen: Promise<unknown> | undefined;
    core.surface.beforePost = (view) => {
      if (view.kind === "notice" && view.facts?.some(({ label }) => label === "report.whose"))
        chosen ??= chooses(core, "79");
    };
    await core.surface.intake.act(manager, `withhold:${job}`);
    await core.surface.until(() => toldTo(core, "telegram:79").length === 1);
    await chosen;
    await core.surface.until(() => toldTo(core, "telegram:78").length === 0);
    expect(buttonsOf(toldTo(core, "telegram:79")[0])).toContain("restore");
  });

  it("is given up once nothing can be posted there, until it is chosen again", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await chooses(core, "77");
    core.surface.beforePost = (view) => {
      if (view.kind === "notice" && view.facts?.some(({ label }) => label === "report.whose"))
        throw new ReelayError("undeliverable");
    };
    await reported(core);
    const isLost = async () => (await core.surface.intake.rulesIn(GROUP)).log?.isLost;
    while (!(await isLost())) await new Promise((resolve) => setTimeout(resolve, 20));
    core.surface.beforePost = () => {};
    await chooses(core, "77");
    await core.surface.until(() => toldTo(core, "telegram:77").length === 1);
    core.surface.beforePost = () => {
      throw new ReelayError("undeliverable");
    };
    const refused = core.surface.intake.run(manager, "group", { reports_to: "79" });
    await expect(refused).rejects.toMatchObject({ code: "log_unreachable" });
    expect((await core.surface.intake.rulesIn(GROUP)).log).toEqual({ to: "telegram:77" });
  });

  it("is forgotten with the result, with the group, and with whom it was", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await chooses(core, "77");
    const job = await reported(core);
    expect(await rows(core)).toEqual([
      { job, audience: "operators" },
      { job, audience: GROUP },
    ]);
    await core.surface.intake.forgetGroup(GROUP);
    expect(await rows(core)).toEqual([{ job, audience: "operators" }]);
    await core.database.kysely.deleteFrom("jobs").where("id", "=", job).execute();
    expect(await rows(core)).toEqual([]);
    const mod: Origin = { ...manager, user: "telegram:77" };
    await core.surface.intake.command(mod, "group", { reports_to: "77" });
    await core.surface.intake.command({ ...mod, audience: "private" }, "forget", {});
    const asked = core.surface.messages.at(-1)?.views.at(-1);
    const [now] = (asked && "actions" in asked && asked.actions) || [];
    await core.surface.intake.act({ ...mod, audience: "private" }, now?.token ?? "");
    expect((await core.surface.intake.rulesIn(GROUP)).log).toBeUndefined();
  });

  it("is chosen by those who manage the group alone", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    await core.surface.intake.command(member("bob"), "group", { reports_to: "77" });
    expect(lastSaid(core.surface)).toBe("not_manager");
    expect(toldTo(core, "telegram:77")).toEqual([]);
    // Two at once change two rules, and neither takes the other's back.
    await Promise.all([
      chooses(core, "77"),
      core.surface.intake.command(manager, "group", { member_daily: 5 }),
    ]);
    expect(await core.surface.intake.rulesIn(GROUP)).toMatchObject({
      log: { to: "telegram:77" },
      memberDaily: 5,
    });
  });
});
