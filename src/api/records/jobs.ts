import { z } from "zod";
import { END_STATES } from "../../contract.ts";
import type { Fields } from "../answer.ts";
import { flag, type Kept, number, objects, text, texts, time } from "./values.ts";

/** What the service says to a submission (section 2.3). */
export interface Submitted extends Kept {
  readonly id: string;
  /** The service's own word. */
  readonly status: string;
  /** Tokens charged; null where the service does not say. */
  readonly cost: number | null;
  /** Tokens left after the charge; null where the service does not say. */
  readonly remaining: number | null;
}

/** A job as the service keeps it (sections 2.4 and 2.5). */
export interface JobRecord extends Kept {
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
  /** The service's own words about a failure. */
  readonly error: string | null;
  readonly videoUrl: string | null;
  readonly imageUrl: string | null;
  readonly resultUrls: readonly string[];
}

/** One page of the job list (section 2.5). */
export interface JobListPage {
  readonly jobs: readonly JobRecord[];
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
  token_cost: number,
  remaining_tokens: number,
  error_message: text,
  video_url: text,
  image_url: text,
  result_urls: texts,
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
  const read = job.parse(raw);
  const id = read.job_id ?? read.id;
  if (!id) return undefined;
  return { id, status: read.status ?? "", cost: read.token_cost, remaining: read.remaining_tokens, raw };
}

/** Undefined where the answer names no job. */
export function readJob(raw: Fields): JobRecord | undefined {
  const read = job.parse(raw);
  // Some records say `id`, others `job_id` (section 2.4).
  const id = read.job_id ?? read.id;
  if (!id) return undefined;
  const status = read.status ?? "";
  return {
    id,
    type: read.type,
    state: stateOf(status),
    status,
    progress: read.progress,
    createdAt: read.created_at,
    startedAt: read.started_at,
    completedAt: read.completed_at,
    cost: read.token_cost,
    error: read.error_message,
    videoUrl: read.video_url,
    imageUrl: read.image_url,
    resultUrls: read.result_urls,
    raw,
  };
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

function stateOf(status: string): JobRecord["state"] {
  switch (status.toUpperCase()) {
    case END_STATES.completed:
      return "completed";
    case END_STATES.failed:
      return "failed";
    default:
      return "running";
  }
}
