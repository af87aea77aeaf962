import { channel } from "node:diagnostics_channel";
import type { Job } from "./job.ts";

/** The points of a job's life that can be watched from outside, on Node's channel `reelay:job`. */
export type TracePoint =
  | Job["state"]
  /** Just before and just after the POST. */
  | "post"
  | "posted"
  /** Just before and just after the platform is told. */
  | "deliver"
  | "delivered"
  /** What is to be told of it has changed, and nobody was told yet. */
  | "retell";

const points = channel("reelay:job");

/** Tells whoever listens. Costs nothing where nobody does; the crash tests kill the process here. */
export function trace(point: TracePoint, job: Job): void {
  if (points.hasSubscribers) points.publish({ point, id: job.id });
}
