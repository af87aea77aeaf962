import { channel } from "node:diagnostics_channel";
import { isTestMode } from "../../common/test-mode.ts";
import type { Job } from "./job.ts";

/** The points of a job's life that can be watched from outside, on Node's channel `reelay:job`. */
export type TracePoint =
  | Job["state"]
  /** Just before and just after the POST. */
  | "post"
  | "posted"
  /** Just before the service is asked how far it is. */
  | "read"
  /** Just before and just after the platform is told; between them, its files are here. */
  | "deliver"
  | "fetched"
  | "delivered"
  /** What is to be told of it has changed, and nobody was told yet. */
  | "retell";

/** What is told at a point. */
export interface JobTrace {
  readonly point: TracePoint;
  readonly id: string;
  /** As it is now: what people wrote is in it, and no watcher may pass that on. */
  readonly job: Job;
  /** As it was before a step that the ledger has just written; null: it is new. Left out at a point that is no such step. */
  readonly before?: Job | null;
}

const points = channel("reelay:job");

/** Tells whoever listens. Costs nothing where nobody does; the crash tests kill the process here. */
export function trace(point: TracePoint, job: Job, before?: Job | null): void {
  if (!points.hasSubscribers || isTestMode()) return;
  const told: JobTrace = { point, id: job.id, job, ...(before !== undefined && { before }) };
  points.publish(told);
}
