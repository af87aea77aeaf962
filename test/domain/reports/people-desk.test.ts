import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { type Harness, harness, madeInGroup, member, operator, takenDown } from "./harness.ts";

const ANN = "web:op-1";

/** A result of a group that somebody reported. */
async function reported(core: Harness): Promise<string> {
  const job = await madeInGroup(core);
  await core.surface.intake.act(member("bob"), `report:${job}`);
  return job;
}

describe.concurrent("the desk for reports", () => {
  it("tells what waits without words and pictures, and decides as a button does", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const people = await core.page.intake.people();
    const job = await reported(core);
    const [one] = await people.reports(5);
    expect(one).toMatchObject({ job, operation: "image", state: "open", reports: 1, by: null });
    expect(JSON.stringify(one)).not.toContain("lighthouse");
    expect(await people.decide(job, "withhold", "open", ANN)).toMatchObject({ state: "withheld", by: ANN });
    await takenDown(core);
    const audit = await Audit.open(core.database, "digest");
    expect(await audit.read({ job, act: "withhold", limit: 2 })).toMatchObject([
      { user: ANN, surface: "web" },
    ]);
    expect(await people.decide(job, "restore", "withheld", ANN)).toMatchObject({ state: "settled" });
    expect(await people.reports(5)).toEqual([]);
  });

  it("does nothing for whoever saw something else, and one of two things that are decided at once", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox);
    const people = await core.page.intake.people();
    const job = await reported(core);
    const both = await Promise.allSettled([
      people.decide(job, "withhold", "open", ANN),
      people.decide(job, "settle", "open", "web:me"),
    ]);
    const failed = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(failed).toEqual([expect.objectContaining({ code: "changed_meanwhile" })]);
    const audit = await Audit.open(core.database, "digest");
    const decided = (await audit.read({ job, limit: 9 })).filter(({ act }) => act !== "report");
    expect(decided.filter(({ act }) => act === "withhold" || act === "settle")).toHaveLength(1);
    await expect(people.decide("no-job", "settle", "open", ANN)).rejects.toMatchObject({
      code: "stale_button",
    });
  });
});

describe.concurrent("what is known of somebody", () => {
  it("is their caps, statements, blocks and sums, and nothing that they wrote", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_DAILY_CAP: "7", REELAY_AT_ONCE: "3", REELAY_OPERATOR_KEY_FOR: "all" };
    await using core = await harness(sandbox, { source: "operator", settings });
    const people = await core.page.intake.people();
    await madeInGroup(core);
    const { user } = member("ann");
    const card = await people.person(user);
    expect(card).toMatchObject({
      user,
      isBlocked: false,
      blocks: [],
      today: 1,
      dailyCap: 7,
      going: 0,
      atOnce: 3,
      jobs: 1,
      successes: 1,
    });
    expect(card.tokens).toBeGreaterThan(0);
    expect(JSON.stringify(card)).not.toContain("lighthouse");
    const block = { subject: user, at: 1, reason: "spam" };
    await new Blocks(memory(core.database, "blocks"), []).add(block);
    expect(await people.person(user)).toMatchObject({ isBlocked: true, blocks: [block] });
  });

  it("is little of somebody who was never here, and no cap for whoever runs Reelay", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox, { source: "operator" });
    const people = await core.page.intake.people();
    expect(await people.person("telegram:404")).toMatchObject({ jobs: 0, tokens: 0, statements: [] });
    expect(await people.person(operator.user)).toMatchObject({ dailyCap: null });
  });
});
