import { expect, it } from "vitest";
import { recordOf } from "../../../src/domain/jobs/job-record.ts";
import { aJob } from "../../support/job.ts";

const error = { code: "job_failed", params: {} } as const;

it.each([
  ["queued", { state: "queued" }, null],
  ["running", { state: "unsure" }, null],
  ["running", { state: "completed", delivery: "due" }, null],
  ["completed", { state: "completed", delivery: "delivered" }, null],
  ["failed", { state: "completed", delivery: "undeliverable" }, { code: "undeliverable", params: {} }],
  ["failed", { state: "completed", delivery: "undeliverable", error }, error],
  ["failed", { state: "failed", delivery: "delivered", error }, error],
  ["cancelled", { state: "cancelled" }, null],
] as const)("a job is %s to its platform: %j", (status, job, problem) => {
  expect(recordOf(aJob(job))).toMatchObject({ status, problem });
});

it.each([
  ["queued", { state: "queued" }],
  ["submitting", { state: "submitting" }],
  ["running", { state: "running" }],
  ["cancelled", { state: "cancelled", delivery: "delivered" }],
  ["completed", { state: "completed", delivery: "delivered" }],
] as const)("a job's phase is %s: %j", (phase, job) => {
  expect(recordOf(aJob(job))).toMatchObject({ phase });
});
