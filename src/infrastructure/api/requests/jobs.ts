import { z } from "zod";
import { JOBS_PER_PAGE } from "../../../common/contract.ts";
import { count, whole, words } from "./fields.ts";

/** Which part of the job list to read (section 4.13). */
export const jobListRequest = z.strictObject({
  /** From 1. */
  page: count.optional(),
  perPage: whole(1, JOBS_PER_PAGE.max).optional(),
  /** The service's own word. */
  status: words.optional(),
});

export type JobListRequest = z.input<typeof jobListRequest>;

/**
 * An identifier that fits into a path: job ids are UUIDs (section 2.1). One that would read as another path,
 * `delete-all` above all, never goes out.
 */
export const jobId = z.string().regex(/^(?!delete)[\w-]+$/, { error: "a job id" });
