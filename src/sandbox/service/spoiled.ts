import type { WireFault } from "./faults.ts";
import { zoned } from "../liberties/times.ts";

const CLOCK_SECONDS = 3600;
const LATE_LIST_SECONDS = 60;
/** Letters that are left of a long text. */
const SHORT = 12;

/** What an answer cannot do without: whose it is, and how far. */
const NEEDED = /^(job_id|id|status|jobs|pagination|success|settings|templates|models|code|error)$/;

/**
 * A JSON answer that something befell; one of another kind is as it was.
 * @param madeAt when a job was accepted, in milliseconds since 1970
 */
export function spoiled(fault: WireFault, bytes: Buffer, madeAt: MadeAt): Buffer | string {
  const answer = parsed(bytes);
  return answer === undefined ? bytes : JSON.stringify(spoil(fault, answer, madeAt));
}

type MadeAt = (jobId: string) => number | undefined;

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function spoil({ kind, seconds }: WireFault, answer: unknown, madeAt: MadeAt): unknown {
  switch (kind) {
    case "clock":
      return mapped(answer, (name, value) =>
        typeof value === "string" && name.endsWith("_at") ? ahead(value, seconds ?? CLOCK_SECONDS) : value,
      );
    case "late-list":
      return withoutNew(answer, Date.now() - (seconds ?? LATE_LIST_SECONDS) * 1000, madeAt);
    case "null":
      return mapped(answer, (name, value) => (isOptional(name, value) ? null : value));
    case "missing":
      return mapped(answer, (name, value) => (isOptional(name, value) ? undefined : value));
    case "trimmed":
      return mapped(answer, (name, value) =>
        typeof value === "string" && !NEEDED.test(name) ? value.trim().slice(0, SHORT) : value,
      );
    default:
      return answer;
  }
}

function ahead(stamp: string, seconds: number): string {
  return zoned(stamp, { zone: "utc", clock: "exact", fractions: "milliseconds" }, seconds);
}

/** What is left out is everything that is not an object and without which the answer still names its job. */
function isOptional(name: string, value: unknown): boolean {
  return !NEEDED.test(name) && (typeof value !== "object" || value === null || Array.isArray(value));
}

/** A list without the jobs that were made since. */
function withoutNew(answer: unknown, since: number, madeAt: MadeAt): unknown {
  if (!isObject(answer) || !Array.isArray(answer["jobs"])) return answer;
  const jobs = answer["jobs"].filter((job) => isObject(job) && (madeAt(String(job["id"])) ?? 0) < since);
  return { ...answer, jobs };
}

function mapped(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapped(change(name, item), change)]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
