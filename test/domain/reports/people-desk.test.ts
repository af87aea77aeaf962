import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { endedJob } from "../../support/job.ts";
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

  it("is how much of their budget they spent, and of a partner's people that of both", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_DAILY_BUDGET: "50", REELAY_OPERATOR_KEY_FOR: "all" };
    await using core = await harness(sandbox, { source: "operator", settings });
    const people = await core.page.intake.people();
    await madeInGroup(core);
    const { user } = member("ann");
    const { budgets, tokens } = await people.person(user);
    expect(tokens).toBeGreaterThan(0);
    expect(budgets).toMatchObject([{ whose: "person", period: "day", max: 50, spent: tokens }]);
    expect((await people.person(operator.user)).budgets).toEqual([]);

    const caps = { monthTokens: 9 };
    const partner = {
      id: "shop",
      name: "Shop",
      platform: "shop",
      createdAt: 1,
      caps,
      userCaps: { dayTokens: 2 },
    };
    await new PartnerBook(core.database).add({ partner: { ...partner, requestsPerMinute: 1 }, tokens: [] });
    const ledger = new Ledger(core.database, "another");
    const tags = { platform: "shop", inAppUsername: "anna" };
    const at = Date.now();
    await endedJob(
      ledger,
      { user: "http:shop", surface: "http", tags },
      { at, cost: 1.5, seconds: 1, toldAt: at },
    );
    const named = async (name: UserId) => {
      const card = await people.person(name);
      return { ...card, budgets: card.budgets.map(({ whose, max }) => [whose, max]) };
    };
    const both = [
      ["user", 2],
      ["partner", 9],
    ];
    expect(await named("http:shop/anna")).toMatchObject({ jobs: 1, tokens: 1.5, budgets: both });
    expect(await named("http:shop/otto")).toMatchObject({ jobs: 0, tokens: 0, budgets: both });
    expect(await named("http:shop")).toMatchObject({ jobs: 1, budgets: [["partner", 9]] });
  });

  it("is little of somebody who was never here, and no cap for whoever runs Reelay", async () => {
    await using sandbox = await testSandbox();
    await using core = await harness(sandbox, { source: "operator" });
    const people = await core.page.intake.people();
    expect(await people.person("telegram:404")).toMatchObject({ jobs: 0, tokens: 0, statements: [] });
    expect(await people.person(operator.user)).toMatchObject({ dailyCap: null });
  });
});
