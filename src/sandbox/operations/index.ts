import type { Job } from "../records.ts";
import type { Operation } from "./operation.ts";
import { video } from "./video.ts";

/** Everything that the service can make. */
export const OPERATIONS: readonly Operation[] = [video];

/** The operation that made a job. */
export function operationOf(job: Job): Operation {
  const operation = OPERATIONS.find(({ type }) => type === job.type);
  if (!operation) throw new Error(`no operation makes ${job.type}`);
  return operation;
}
