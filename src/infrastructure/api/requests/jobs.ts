import { z } from "zod";
import { JOBS_PER_PAGE } from "../../../common/contract.ts";
import { NotFound } from "../transport/errors.ts";
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

/** Of a request line that every server and proxy takes, an id may have as much. */
const LONGEST_SEGMENT = 2_000;

/**
 * A job's id as one segment of a path. What the service answered is sent back as it is, whatever stands in it, and leads to
 * no other path.
 * @throws NotFound for what no path can hold: nothing at all, more than is taken anywhere, half a character, and `.` and
 * `..`, which whoever reads a URL takes away, however they are written
 */
export function inPath(id: string): string {
  const segment = id.isWellFormed() ? encodeURIComponent(id) : "";
  if (segment === "" || segment.length > LONGEST_SEGMENT || /^\.{1,2}$/.test(segment)) throw new NotFound();
  return segment;
}

/**
 * Whether a job of this id may be deleted. Some proxies read a path before they pass it on: one that would read as another
 * then, `delete-all` above all, never goes out as a deletion.
 */
export function isDeletable(id: string): boolean {
  return deletableId.safeParse(id).success;
}

/** See {@link isDeletable}. */
export const deletableId = z
  .string()
  .regex(/^(?!delete)(?!\.{0,2}$)[^/\\%\p{C}]+$/iu, { error: "a job id" })
  .refine((id) => encodeURIComponent(id).length <= LONGEST_SEGMENT, { error: "a job id" });
