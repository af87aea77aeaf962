import type { JobMedia, Uncovered } from "../../seam/access/console.ts";
import type { Operator } from "../../seam/access/operators.ts";
import { mediaIn, type MediaRef } from "../../seam/values.ts";
import type { Json } from "../../common/json.ts";
import { ReelayError } from "../../common/errors.ts";
import { currentTime } from "../../common/time.ts";
import type { Audit } from "../audit/audit.ts";
import type { CommandParts } from "../commands/command.ts";
import { mediaOf } from "../jobs/delivery/result-media.ts";
import type { Job } from "../jobs/job.ts";
import { fieldsOf } from "../operations/fields.ts";
import { operationOf } from "../operations/registry.ts";
import { lineAbout } from "./job-acts.ts";

/** For how long what somebody uncovered may be opened, in milliseconds. */
const OPEN_MS = 15 * 60_000;

/** What is worked with. */
type CoverParts = Pick<CommandParts, "accounts" | "surfaces"> & {
  readonly audit: Pick<Audit, "read" | "write">;
};

/** Shows what a job's person wrote and chose, and writes down who saw it. */
export async function uncover({ audit }: CoverParts, operator: Operator, job: Job): Promise<Uncovered> {
  await audit.write(lineAbout("uncover", job, operator));
  const words = Object.entries(job.values).flatMap(([field, value]): [string, Json][] =>
    value === undefined || mediaIn(value).length > 0 ? [] : [[field, value as Json]],
  );
  return {
    values: Object.fromEntries(words),
    given: givenOf(job).length,
    made: job.result?.length ?? 0,
    makes: operationOf(job.operation).result,
  };
}

/**
 * A file of a job.
 * @throws ReelayError `stale_button` unless the same operator uncovered it lately, `media_gone`
 */
export async function mediaFor(
  { accounts, audit, surfaces }: CoverParts,
  operator: Operator,
  job: Job,
  { from, index }: { readonly from: JobMedia["from"]; readonly index: number },
): Promise<JobMedia> {
  const since = currentTime() - OPEN_MS;
  const [line] = await audit.read({ user: operator.id, job: job.id, act: "uncover", since, limit: 1 });
  if (!line) throw new ReelayError("stale_button");
  if (from === "given") {
    const ref = givenOf(job)[index];
    if (!ref) throw new ReelayError("media_gone");
    return { from, open: () => surfaces.openMedia(ref) };
  }
  const made = mediaOf(job, accounts)[index];
  if (!made) throw new ReelayError("media_gone");
  return { from, open: () => made.open() };
}

/** The pictures that were given; what is only heard is not among them. */
function givenOf({ operation, values }: Job): readonly MediaRef[] {
  const seen = fieldsOf(operationOf(operation).schema).filter(({ control }) => control !== "sounds");
  return seen.flatMap(({ name }) => mediaIn(values[name]));
}
