import { ABOUT_OTHERS } from "../audit/audit.ts";
import type { AuditEntry } from "../../seam/access/audit.ts";
import { isMediaList, isMediaRef, type MediaRef, type Value } from "../../seam/values.ts";
import type { Json } from "../../common/json.ts";
import type { Job } from "../jobs/job.ts";
import type { ExportedJob, ExportedLine } from "./export-format.ts";

/** @param ms since 1970 */
export const timeOf = (ms: number): string => new Date(ms).toISOString();

const timeOrNull = (ms: number | null) => (ms === null ? null : timeOf(ms));

/** A job as its owner gets it: nothing that opens a file or finds a message, and no account's. */
export function exportedJob(job: Job): ExportedJob {
  const { id, operation, surface: platform, chat, mature, state, cost, error, tags } = job;
  const values = Object.entries(job.values).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, exportedValue(value)]],
  );
  return {
    id,
    operation,
    platform,
    chat,
    values: Object.fromEntries(values),
    mature,
    state,
    results: job.result?.length ?? 0,
    cost,
    error,
    countsFor: { platform: tags.platform, username: tags.inAppUsername },
    askedAt: timeOf(job.createdAt),
    acceptedAt: timeOrNull(job.acceptedAt),
    endedAt: timeOrNull(job.endedAt),
    toldAt: timeOrNull(job.deliveredAt),
  };
}

function exportedValue(value: Value): Json {
  if (isMediaRef(value)) return exportedFile(value);
  return isMediaList(value) ? value.map(exportedFile) : value;
}

const exportedFile = ({ name, bytes }: MediaRef) => ({ name: name ?? null, bytes: bytes ?? null });

/** Whom an operator blocked, and what they noted of whom, is that person's business. */
const OF_OTHERS: ReadonlySet<AuditEntry["act"]> = new Set(ABOUT_OTHERS);

/** A line of the audit as whom it is about gets it. */
export function exportedLine(line: AuditEntry): ExportedLine {
  const { act, surface: platform, chat, operation, job, digest } = line;
  const isOfOthers = OF_OTHERS.has(act);
  return {
    at: timeOf(line.at),
    act,
    rule: isOfOthers ? null : line.rule,
    platform,
    chat,
    operation,
    job,
    digest,
    files: line.files.length,
    content: isOfOthers ? null : line.content,
  };
}
