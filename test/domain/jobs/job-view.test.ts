import { describe, expect, it } from "vitest";
import type { Job } from "../../../src/domain/jobs/job.ts";
import {
  isGoingOn,
  phaseOf,
  problemView,
  progressView,
  resultView,
  summaryOf,
} from "../../../src/domain/jobs/job-view.ts";
import { aJob } from "../../support/job.ts";

const id = "j1";
const queued = aJob({ id });
const running = aJob({ id, state: "running", acceptedAt: 5, serviceId: "s" });
const facts = { ahead: 2, expectedAt: 9_000 };
const tokens = (actions: readonly { readonly token: string }[] = []) => actions.map(({ token }) => token);

const told = (delivery: Job["delivery"]) => isGoingOn(aJob({ state: "completed", delivery }));

describe("the view of a job that goes on", () => {
  it("says how many are ahead and how to cancel it while it is queued, and when it will end while it runs", () => {
    expect(progressView(queued, facts)).toEqual({
      kind: "progress",
      job: summaryOf(queued),
      phase: "queued",
      ahead: 2,
      actions: [{ token: "cancel:j1", label: { key: "action.cancel" }, style: "secondary" }],
    });
    expect(progressView({ ...running, cost: 4, progress: 0 }, facts)).toEqual({
      kind: "progress",
      job: summaryOf(running),
      phase: "running",
      percent: 0,
      expectedAt: 9_000,
      cost: 4,
    });
    expect(progressView(running, { ahead: 0, expectedAt: undefined })).toEqual({
      kind: "progress",
      job: summaryOf(running),
      phase: "running",
    });
    // It can still be cancelled, but nobody goes first.
    const unreachable = progressView({ ...queued, notBefore: 1 }, facts);
    expect(unreachable).not.toHaveProperty("ahead");
    expect(tokens(unreachable.actions)).toEqual(["cancel:j1"]);
    expect(progressView({ ...running, awaits: "record" }, facts)).not.toHaveProperty("expectedAt");
  });

  it.each<[string, Partial<Job>]>([
    ["queued", {}],
    ["unreachable", { notBefore: 1 }],
    ["submitting", { state: "submitting", notBefore: 1 }],
    ["running", { state: "running" }],
    ["checking", { state: "unsure" }],
    ["sending", { state: "completed" }],
    ["awaiting_file", { state: "completed", awaits: "file" }],
    ["awaiting_key", { state: "running", awaits: "key" }],
  ])("is in the phase %s: %o", (phase, different) => {
    expect(phaseOf(aJob(different))).toBe(phase);
  });

  it("is wanted until its outcome was told, or cannot be", () => {
    expect(isGoingOn(queued)).toBe(true);
    expect((["due", "delivering", "delivered", "undeliverable"] as const).map(told)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

/** The buttons of a result that make something once more. */
const more = (job: Job, price: number | null) =>
  tokens(resultView(job, [], { tellsBalance: true, spoiler: false, price }).actions).filter((token) =>
    /^(again|new-seed):/.test(token),
  );

describe("the view of a result", () => {
  const made = aJob({ id, state: "completed", cost: 4, balance: 90, createdAt: 1_000, endedAt: 61_000 });
  const plain = { tellsBalance: true, spoiler: false, price: 4 };

  it("says what it cost, what is left and how long it took, with what can be done", () => {
    expect(resultView(made, [], plain)).toEqual({
      kind: "result",
      job: summaryOf(made),
      media: [],
      cost: 4,
      balance: 90,
      tookMs: 60_000,
      spoiler: false,
      actions: [
        {
          token: "new-seed:j1@4",
          label: { key: "action.new_seed_for", params: { count: 4, tokens: 4 } },
          style: "primary",
        },
        { token: "go-on:j1", label: { key: "action.go_on.film" }, style: "secondary" },
        { token: "change:j1", label: { key: "action.change" }, style: "secondary" },
        { token: "details:j1", label: { key: "action.details" }, style: "secondary" },
        { token: "delete:j1", label: { key: "action.delete" }, style: "danger" },
      ],
    });
    expect(resultView({ ...made, endedAt: null }, [], plain).tookMs).toBe(0);
  });

  it("tells nobody the balance of somebody else's key, and a group how to report it", () => {
    expect(resultView(made, [], { ...plain, tellsBalance: false }).balance).toBeNull();
    const inGroup = resultView({ ...made, chat: "web:group" }, [], plain);
    expect(tokens(inGroup.actions).at(-1)).toBe("report:j1");
  });

  it("offers one way to more: another seed, or the same once more for what has none", () => {
    const swapped = { ...made, operation: "faceswap" } as const;
    expect(more(made, null)).toEqual(["new-seed:j1"]);
    expect(more(swapped, null)).toEqual(["again:j1"]);
    expect(more(swapped, 4)).toEqual(["again:j1@4"]);
  });
});

const problem = (job: Job, code: "job_failed" | "product_resting" | "lost_track" | "result_gone") =>
  problemView(job, { code, params: {} }, 4);

const again = (style: string) => ({ token: "again:j1@4", style });

const failed = aJob({ id, state: "failed", cost: 0 });

const charged = (different: Partial<Job>, code: "job_failed" | "lost_track" = "job_failed") =>
  problem({ ...failed, ...different }, code).charged;

describe("the view of a problem", () => {
  it("says why and what it cost, and offers to try again", () => {
    expect(problem(failed, "job_failed")).toEqual({
      kind: "problem",
      problem: { code: "job_failed", params: {} },
      job: summaryOf(failed),
      charged: 0,
      actions: [
        {
          token: "again:j1@4",
          label: { key: "action.again_for", params: { count: 4, tokens: 4 } },
          style: "primary",
        },
        { token: "change:j1", label: { key: "action.change" }, style: "secondary" },
      ],
    });
  });

  it("knows that what was never accepted cost nothing, and what is lost or was accepted may have", () => {
    expect(charged({ cost: null })).toBe(0);
    expect(charged({ cost: null, serviceId: "s" })).toBeNull();
    expect(charged({ cost: 4, serviceId: "s" })).toBe(4);
    expect(charged({ cost: null }, "lost_track")).toBeNull();
    expect(charged({ cost: 4 }, "lost_track")).toBe(4);
  });

  it("offers first what helps: another model, or to fetch what was made", () => {
    const resting = problem(failed, "product_resting").actions;
    expect(resting).toMatchObject([{ token: "instead:j1", style: "primary" }, again("secondary"), {}]);
    const gone = problem({ ...failed, state: "completed" }, "result_gone").actions;
    expect(gone).toMatchObject([{ token: "show:j1", style: "primary" }, again("secondary"), {}]);
  });
});
