import type { EventType } from "../../../src/seam/events.ts";
import type { JobBody } from "./job.ts";

/** What of a job is otherwise than in the example of its schema, which is completed. */
export type JobExample = Partial<JobBody>;

/** A job that was just accepted. */
export const ACCEPTED: JobExample = {
  status: "queued",
  phase: "queued",
  progress: null,
  queue_position: 3,
  cost: null,
  media: [],
  accepted_at: null,
  ended_at: null,
};

/** A job in the message of each event. */
export const AT_EVENT: Readonly<Record<EventType, JobExample>> = {
  "job.progress": {
    status: "running",
    phase: "running",
    progress: 40,
    expected_at: "2026-01-31T12:01:15.000Z",
    media: [],
    ended_at: null,
  },
  "job.completed": {},
  "job.failed": {
    status: "failed",
    phase: "failed",
    progress: 40,
    media: [],
    error: { code: "job_failed", detail: "The service could not make it: out of memory." },
  },
  "job.cancelled": {
    ...ACCEPTED,
    queue_position: null,
    status: "cancelled",
    phase: "cancelled",
    ended_at: "2026-01-31T12:00:10.000Z",
  },
};
