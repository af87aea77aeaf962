import { describe, expect, it } from "vitest";
import type { ProblemBody } from "../../../adapters/http/resources/problem.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { receiver } from "../../domain/webhooks/harness.ts";

const body = (name: string, prompt = "a cat") => ({
  operation: "image",
  input: { prompt },
  in_app_username: name,
});

const budgetsOf = async (partner: TestPartner, query = "") => {
  const answer = await partner.call(`/budgets${query}`);
  return ((await answer.json()) as { readonly data: readonly object[] }).data;
};

const tomorrow = () => new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();

describe("a partner's budgets", () => {
  it("are read with what is left, and correct themselves once a job is charged", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { caps: { dayTokens: 100 }, userCaps: { monthTokens: 50.5 } });
    expect(await budgetsOf(acme)).toEqual([
      {
        object: "budget",
        whose: "partner",
        in_app_username: null,
        period: "day",
        budget: 100,
        spent: 0,
        left: 100,
        ends_at: tomorrow(),
      },
    ]);
    const { id } = await acme.accepted(body("jo"));
    const { cost } = await acme.ended(id);
    const spent = cost ?? Number.NaN;
    expect(spent).toBeGreaterThan(0);
    expect(await budgetsOf(acme, "?in_app_username=jo")).toMatchObject([
      { whose: "user", in_app_username: "jo", period: "month", budget: 50.5, spent },
      { whose: "partner", in_app_username: null, period: "day", budget: 100, spent },
    ]);
    expect(await budgetsOf(acme, "?in_app_username=kim")).toMatchObject([{ spent: 0 }, { spent }]);
    const other = await gateway.join("other");
    expect(await budgetsOf(other, "?in_app_username=jo")).toEqual([]);
    const me = await (await acme.call("/partner")).json();
    expect(me).toMatchObject({
      caps: { day_tokens: 100, month_tokens: null },
      user_caps: { day_tokens: null, month_tokens: 50.5 },
    });
  });

  it("refuse with a problem of their own that says when they begin anew, and nothing to wait for", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { userCaps: { dayTokens: 0 } });
    const answer = await acme.submit(body("jo"), { "accept-language": "de" });
    expect(answer.headers.get("retry-after")).toBeNull();
    expect((await answer.json()) as ProblemBody).toMatchObject({
      status: 403,
      code: "budget_spent",
      type: "/v1/docs#budget_spent",
      retryable: false,
      ends_at: tomorrow(),
      detail: expect.stringContaining("0 von 0 sind verbraucht"),
    });
    // Nothing was counted for it, and the same request succeeds once there is a budget.
    await gateway.partners.set("acme", { userCaps: { dayTokens: 100 } });
    await acme.accepted(body("jo"));
  });

  it("that are set aside for jobs whose price is not known yet are said to be so, and cover the next one soon after", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { caps: { dayTokens: 20 } });
    await sandbox.fault({ kind: "503", match: { method: "POST" }, times: 1_000 });
    const first = await acme.accepted(body("jo"));
    const refused = await acme.submit(body("jo", "a dog"));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const problem = (await refused.json()) as ProblemBody;
    expect(problem).toMatchObject({ status: 429, code: "budget_reserved", retryable: true });
    expect(problem.ends_at).toBeUndefined();
    await sandbox.clearFaults();
    await acme.ended(first.id);
    await acme.ended((await acme.accepted(body("jo", "a dog"))).id);
    // What was spent for good is no reserve.
    await gateway.partners.set("acme", { caps: { dayTokens: 0.1 } });
    expect((await (await acme.submit(body("jo", "a cow"))).json()) as ProblemBody).toMatchObject({
      code: "budget_spent",
    });
  });

  it("are warned of once, at the webhooks that want to hear of it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_BUDGET_WARNING: "1" } });
    await using hook = await receiver();
    const acme = await gateway.join("acme", { userCaps: { dayTokens: 100 } });
    await acme.call("/webhooks", {
      method: "POST",
      body: JSON.stringify({ url: hook.url, events: ["budget.warning", "job.completed"] }),
      headers: { "content-type": "application/json" },
    });
    const first = await acme.accepted(body("jo"));
    await acme.ended(first.id);
    const second = await acme.accepted(body("jo"));
    await acme.ended(second.id);
    await hook.atLeast(3);
    const messages = hook.arrived.map(({ body: text }) => JSON.parse(text) as { type: string; data: object });
    const warnings = messages.filter(({ type }) => type === "budget.warning");
    expect(warnings.map(({ data }) => data)).toEqual([
      {
        object: "budget",
        whose: "user",
        in_app_username: "jo",
        period: "day",
        budget: 100,
        // Its price was not known when it was accepted.
        spent: 100,
        left: 0,
        ends_at: tomorrow(),
      },
    ]);
  });
});
