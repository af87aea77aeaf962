import { z } from "zod";
import type { SQLOutputValue } from "node:sqlite";

/** What is stored of a request: everything but the pictures. Each operation adds its own fields. */
const storedRequest = z.looseObject({
  prompt: z.string().optional(),
  lora_template: z.string().optional(),
  platform: z.string().optional(),
  in_app_username: z.string().optional(),
});

/** What is stored of a request. */
export type StoredRequest = z.infer<typeof storedRequest>;

const jobRecord = z.object({
  id: z.string(),
  account_id: z.int(),
  /** As in the unified status record (section 2.4). */
  type: z.enum(["video"]),
  status: z.enum(["SUBMITTED", "IN_PROGRESS", "COMPLETED", "FAILED"]),
  progress: z.int(),
  // Times are in milliseconds since 1970.
  created_at: z.int(),
  started_at: z.int().nullable(),
  completed_at: z.int().nullable(),
  /** How long it is to take from its start, at least. */
  planned_ms: z.int(),
  /** Why it is going to fail, or failed. */
  failure: z.string().nullable(),
  /** In hundredths of a token. */
  cost: z.int(),
  request: z.string().transform((text) => storedRequest.parse(JSON.parse(text))),
});

/** A job as it is stored. */
export type Job = z.infer<typeof jobRecord>;

/** A job type of the unified status record. */
export type JobType = Job["type"];

/** Reads a row of `jobs`. */
export function readJob(row: Record<string, SQLOutputValue>): Job {
  return jobRecord.parse(row);
}

const submissionRecord = z.object({
  job_id: z.string(),
  account: z.string(),
  type: z.string(),
  cost: z.int(),
  prompt: z.string().nullable(),
  in_app_username: z.string().nullable(),
  platform: z.string().nullable(),
  at: z.int(),
});

/** An accepted submission: kept when its job is deleted, so that tests can count charges. */
export type Submission = z.infer<typeof submissionRecord>;

/** Reads a row of `submissions`. */
export function readSubmission(row: Record<string, SQLOutputValue>): Submission {
  return submissionRecord.parse(row);
}
