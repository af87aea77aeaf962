import { describe, expect, it } from "vitest";
import { traceOf } from "../../../src/app/tracing/span.ts";
import { JobSteps, webhookSpan } from "../../../src/app/tracing/steps.ts";
import { after, type Job, type Transition } from "../../../src/domain/jobs/job.ts";
import type { TracePoint } from "../../../src/domain/jobs/trace.ts";
import { aJob } from "../../support/job.ts";

/** A job that is followed, with what is told of each of its steps. */
function followed(steps = new JobSteps()) {
  let job: Job = aJob({ id: "j1", createdAt: 100 });
  const told = steps.of({ point: "queued", id: job.id, job, before: null }, 100, { id: "r-1", at: 90 });
  return {
    told,
    step: (now: number, event: Transition) => {
      const before = job;
      job = after(job, event);
      return steps.of({ point: job.state, id: job.id, job, before }, now);
    },
    point: (now: number, point: TracePoint) => steps.of({ point, id: job.id, job }, now),
  };
}

const submitting = (at: number) => ({ type: "submitting", at, balance: null }) as const;
const accepted = (at: number) => ({ type: "accepted", at, serviceId: "s1", cost: 1, balance: null }) as const;
const completed = (at: number) => ({ type: "completed", at, result: [], cost: null }) as const;
const failed = (at: number) =>
  ({
    type: "failed",
    at,
    error: { code: "job_failed", params: { reason: "words of a prompt" } },
    cost: 0,
  }) as const;

const brief = (spans: ReturnType<JobSteps["of"]>) =>
  spans.map(({ name, start, end, failed: why }) => [name, start, end, ...(why ? [why] : [])]);

/** One that was accepted. */
function running(steps?: JobSteps) {
  const job = followed(steps);
  job.step(150, submitting(150));
  job.step(170, accepted(170));
  return job;
}

describe("the steps of a job", () => {
  it("are its request, its wait, its submission, what the service made of it, and how it was told", () => {
    const job = followed();
    expect(brief(job.told)).toEqual([["request", 90, 100]]);
    expect(job.told[0]?.attributes).toEqual({
      "reelay.job": "j1",
      "reelay.operation": "video",
      "reelay.platform": "web",
      "reelay.request": "r-1",
    });
    expect(job.step(150, submitting(150))).toEqual([]);
    expect(brief(job.step(170, accepted(170)))).toEqual([
      ["wait", 100, 150],
      ["submission", 150, 170],
    ]);
    job.point(300, "read");
    job.step(301, { type: "progressed", progress: 40 });
    job.point(500, "read");
    const [polling] = job.step(900, completed(900));
    expect(polling).toMatchObject({
      name: "polling",
      start: 170,
      end: 900,
      attributes: { "reelay.reads": 2, "reelay.outcome": "completed" },
      events: [{ name: "progress", at: 301, attributes: { "reelay.progress": 40 } }],
    });
    expect(job.step(910, { type: "delivering" })).toEqual([]);
    expect(job.point(911, "deliver")).toEqual([]);
    expect(brief(job.point(940, "fetched"))).toEqual([["download", 911, 940]]);
    expect(brief(job.step(950, { type: "delivered", at: 945 }))).toEqual([
      ["delivery", 940, 950],
      ["job video", 90, 950],
    ]);
  });

  it("are one trace below the job's own span, whoever tells of them", () => {
    const job = running();
    const [here] = job.step(900, completed(900));
    const [there] = running(new JobSteps()).step(900, completed(900));
    expect(there?.spanId).toBe(here?.spanId);
    job.step(910, { type: "delivering" });
    job.point(910, "deliver");
    const [delivery, whole] = job.step(950, { type: "delivered", at: 950 });
    expect(whole).not.toHaveProperty("parentId");
    expect([here?.parentId, delivery?.parentId]).toEqual([whole?.spanId, whole?.spanId]);
    expect([here?.traceId, delivery?.traceId, whole?.traceId]).toEqual(Array(3).fill(traceOf("j1")));
  });

  it("count what came to nothing before, and tell of an answer that was lost", () => {
    const job = followed();
    job.step(110, submitting(110));
    job.step(120, { type: "postponed", until: 130 });
    job.step(140, submitting(140));
    job.step(160, { type: "lost", at: 160 });
    const spans = job.step(400, accepted(400));
    expect(brief(spans)).toEqual([
      ["wait", 100, 140],
      ["submission", 140, 160, "lost"],
      ["reconciling", 160, 400],
    ]);
    expect(spans[0]?.attributes["reelay.failed_tries"]).toBe(1);
  });

  it("say by which error it failed, and nothing of its words", () => {
    const refused = followed();
    refused.step(110, submitting(110));
    const spans = refused.step(120, failed(120));
    expect(brief(spans)).toEqual([
      ["wait", 100, 110],
      ["submission", 110, 120, "job_failed"],
    ]);
    const unsent = followed().step(120, failed(120));
    expect(brief(unsent)).toEqual([["wait", 100, 120, "job_failed"]]);
    const made = running().step(900, failed(900));
    expect(brief(made)).toEqual([["polling", 170, 900, "job_failed"]]);
    expect(JSON.stringify([spans, unsent, made])).not.toContain("words");
    expect(brief(followed().step(120, { type: "cancelled", at: 120 }))).toEqual([["wait", 100, 120]]);
  });

  it("are told for each try to deliver, and its own span once", () => {
    const job = running();
    job.step(900, completed(900));
    const tried = (at: number, event: Transition) => {
      job.step(at, { type: "delivering" });
      job.point(at, "deliver");
      return brief(job.step(at + 5, event));
    };
    expect(tried(910, { type: "deferred", until: 0 })).toEqual([["delivery", 910, 915, "deferred"]]);
    expect(tried(920, { type: "undeliverable" })).toEqual([
      ["delivery", 920, 925, "undeliverable"],
      ["job video", 90, 925, "undeliverable"],
    ]);
    job.step(930, { type: "redeliver" });
    expect(tried(940, { type: "delivered", at: 945 })).toEqual([["delivery", 940, 945]]);
    job.step(950, { type: "redeliver" });
    expect(tried(960, { type: "delivered", at: 965 })).toEqual([["delivery", 960, 965]]);
  });

  it("know no delivery that another process had begun", () => {
    const job = running();
    job.step(900, completed(900));
    job.step(910, { type: "delivering" });
    expect(brief(job.step(920, { type: "deferred", until: 0 }))).toEqual([]);
  });

  it("never end before they began, though a clock was set back", () => {
    const job = followed();
    job.step(50, submitting(50));
    expect(brief(job.step(40, accepted(40)))).toEqual([
      ["wait", 100, 100],
      ["submission", 50, 50],
    ]);
  });

  it("are remembered of so many jobs, and so many events of each", () => {
    const steps = new JobSteps();
    const first = running(steps);
    for (let progress = 1; progress <= 100; progress++) first.step(200, { type: "progressed", progress });
    const again = running(steps);
    expect(again.step(900, completed(900))[0]?.events).toHaveLength(30);
    const forgotten = running(steps);
    forgotten.point(300, "read");
    for (let n = 0; n < 10_000; n++) {
      const job = aJob({ id: `other-${n}` });
      steps.of({ point: "read", id: job.id, job }, 300);
    }
    expect(forgotten.step(900, completed(900))[0]?.attributes["reelay.reads"]).toBe(0);
  });
});

it("a webhook is a step of its job, each try", () => {
  const tried = {
    job: "j1",
    type: "job.completed",
    failures: 1,
    at: 1_000,
    tookMs: 20,
    status: 200,
    error: null,
  };
  const taken = webhookSpan(tried);
  expect(taken).toMatchObject({
    traceId: traceOf("j1"),
    name: "webhook",
    start: 1_000,
    end: 1_020,
    attributes: {
      "reelay.event": "job.completed",
      "reelay.failed_tries": 1,
      "http.response.status_code": 200,
    },
  });
  expect(taken.failed).toBeUndefined();
  expect(webhookSpan({ ...tried, status: 500 }).failed).toBe("answered 500");
  expect(webhookSpan({ ...tried, status: null, error: "ECONNREFUSED" }).failed).toBe("ECONNREFUSED");
  expect(webhookSpan(tried).spanId).not.toBe(taken.spanId);
});
