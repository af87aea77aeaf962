import { z } from "zod";
import type { SQLOutputValue } from "node:sqlite";
import { JOB_TYPES } from "../../common/contract.ts";

/** What is stored of a request: everything but the pictures. Each operation adds its own fields. */
const storedRequest = z.looseObject({
  prompt: z.string().optional(),
  /** Of whichever catalogue: video, image-edit or H3 templates. */
  lora_template: z.string().optional(),
  template: z.string().optional(),
  template_id: z.string().optional(),
  /** Shown in the job list where an operation has one (section 2.5). */
  mode: z.string().optional(),
  platform: z.string().optional(),
  in_app_username: z.string().optional(),
});

/** What is stored of a request. */
export type StoredRequest = z.infer<typeof storedRequest>;

/** As in the unified status record (section 2.4); the last two are none of its types. */
export const jobType = z.enum([...JOB_TYPES, "vid3", "imgpro"]);

const jobRecord = z.object({
  id: z.string(),
  account_id: z.int(),
  type: jobType,
  /** The name of the operation that made it: two of them may make one type. */
  operation: z.string(),
  /** The host that accepted it (section 1, rule 5). */
  host: z.enum(["primary", "full-catalog"]),
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
  // Amounts are in hundredths of a token.
  /** What it costs as it stands. */
  cost: z.int(),
  /** What was charged when it was accepted. */
  reserved: z.int(),
  /** What it will cost once it has completed. */
  final_cost: z.int(),
  request: z.string().transform((text) => storedRequest.parse(JSON.parse(text))),
});

/** A job as it is stored. */
export type Job = z.infer<typeof jobRecord>;

/** A type of job. */
export type JobType = Job["type"];

/** Whether `GET /job/{id}` knows a type. */
export function isUnified(type: JobType): boolean {
  return JOB_TYPES.some((known) => known === type);
}

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

/** An accepted submission: kept without its words when its job is deleted, so that tests can count charges. */
export type Submission = z.infer<typeof submissionRecord>;

/** Reads a row of `submissions`. */
export function readSubmission(row: Record<string, SQLOutputValue>): Submission {
  return submissionRecord.parse(row);
}
