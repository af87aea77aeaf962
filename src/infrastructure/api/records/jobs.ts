import { z } from "zod";
import { END_STATES } from "../../../common/contract.ts";
import { type Fields, isFields } from "../transport/answer.ts";
import { amount, flag, type Kept, number, objects, said, text, texts, time } from "./values.ts";

/** What the service says to a submission (section 2.3). */
export interface Submitted extends Kept {
  readonly id: string;
  /** The service's own word. */
  readonly status: string;
  /** Tokens charged, or reserved where only that is said; null where the service does not say. */
  readonly cost: number | null;
  /** Tokens left after the charge; null where the service does not say. */
  readonly remaining: number | null;
}

/** A job as the service keeps it (sections 2.4 and 2.5). */
export interface ServiceJob extends Kept {
  readonly id: string;
  readonly type: string | null;
  /** A job runs until its status says that it has ended (section 3). */
  readonly state: "running" | "completed" | "failed";
  /** The service's own word. */
  readonly status: string;
  /** 0 to 100, estimated. */
  readonly progress: number | null;
  /** Milliseconds since 1970, like the next two. */
  readonly createdAt: number | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  /** Tokens charged. */
  readonly cost: number | null;
  /** Tokens reserved at the submission (section 4.7, rule 4); null where the service does not say. */
  readonly preCost: number | null;
  /** Whether the final cost differs from what was reserved. */
  readonly billingAdjusted: boolean;
  /** Such as `T2V` or `i2v`, the service's own word. */
  readonly mode: string | null;
  /** The service's own words about a failure. */
  readonly error: string | null;
  readonly videoUrl: string | null;
  readonly imageUrl: string | null;
  readonly resultUrls: readonly string[];
  /** False for a completed job whose file is not ready yet (section 2.4). */
  readonly fileReady: boolean;
}

/** One page of the job list (section 2.5). */
export interface JobListPage {
  readonly jobs: readonly ServiceJob[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly hasNext: boolean;
}

const job = z.looseObject({
  job_id: text,
  id: text,
  type: text,
  status: text,
  progress: number,
  created_at: time,
  started_at: time,
  completed_at: time,
  token_cost: amount,
  pre_token_cost: amount,
  remaining_tokens: amount,
  billing_adjusted: flag,
  mode: text,
  error_message: said,
  video_url: text,
  image_url: text,
  url: text,
  result_urls: texts,
  image_base64_error: z.unknown().optional(),
  video_base64_error: z.unknown().optional(),
});

const list = z.looseObject({
  jobs: objects,
  pagination: z.looseObject({ page: number, pages: number, total: number, has_next: flag }).catch({
    page: null,
    pages: null,
    total: null,
    has_next: false,
  }),
});

/** Undefined where the answer names no job. */
export function readSubmitted(raw: Fields): Submitted | undefined {
  const read = job.parse(unwrapped(raw));
  const id = read.job_id ?? read.id;
  if (!id) return undefined;
  return {
    id,
    status: read.status ?? "",
    cost: read.token_cost ?? read.pre_token_cost,
    remaining: read.remaining_tokens,
    raw,
  };
}

/** Undefined where the answer names no job. */
export function readJob(raw: Fields): ServiceJob | undefined {
  const read = job.parse(unwrapped(raw));
  // Some records say `id`, others `job_id` (section 2.4).
  const id = read.job_id ?? read.id;
  if (!id) return undefined;
  const status = read.status ?? "";
  const state = stateOf(status);
  return {
    id,
    type: read.type,
    state,
    status,
    progress: read.progress,
    createdAt: read.created_at,
    startedAt: read.started_at,
    completedAt: read.completed_at,
    cost: read.token_cost,
    preCost: read.pre_token_cost,
    billingAdjusted: read.billing_adjusted,
    mode: read.mode,
    error: read.error_message,
    videoUrl: read.video_url,
    imageUrl: read.image_url,
    resultUrls: read.result_urls,
    fileReady: !(state === "completed" && (read.image_base64_error || read.video_base64_error)),
    raw,
  };
}

/**
 * The record of an image pro job, whose fields the contract does not show (section 2.4): its picture may stand under
 * any name that an address of a result has.
 * @param id what was asked for: the record may not name it
 */
export function readImgproJob(raw: Fields, id: string): ServiceJob | undefined {
  const fields = { ...unwrapped(raw), job_id: id };
  const record = readJob(fields);
  const { url } = job.parse(fields);
  return record && { ...record, imageUrl: record.imageUrl ?? url ?? record.resultUrls[0] ?? null, raw };
}

/** Answers that the contract does not show may hold the job under its own name. */
function unwrapped(raw: Fields): Fields {
  return isFields(raw["job"]) ? { ...raw, ...raw["job"] } : raw;
}

/** Jobs that name no id are left out. */
export function readJobList(raw: Fields): JobListPage {
  const { jobs, pagination } = list.parse(raw);
  return {
    jobs: jobs.map(readJob).filter((one) => one !== undefined),
    page: pagination.page ?? 1,
    pages: pagination.pages ?? 1,
    total: pagination.total ?? jobs.length,
    hasNext: pagination.has_next,
  };
}

function stateOf(status: string): ServiceJob["state"] {
  switch (status.toUpperCase()) {
    case END_STATES.completed:
      return "completed";
    case END_STATES.failed:
      return "failed";
    default:
      return "running";
  }
}
