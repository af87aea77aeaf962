import { createHash, randomBytes } from "node:crypto";

/** A step that has ended, as tracing shows it. Times are milliseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Left out for the one that all others of a job stand below. */
  readonly parentId?: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Neither people nor keys, words, files or their names. */
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  /** Why it came to nothing: an error's code. */
  readonly failed?: string;
}

type Attributes = Readonly<Record<string, string | number>>;

/** Something that happened within a step. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes?: Attributes;
}

/** What is different of each step. */
interface Step extends Pick<Span, "name" | "start" | "end" | "events"> {
  readonly attributes: Attributes;
  readonly failed?: string | undefined;
}

/**
 * A step of a job, below the job's own span. All of a job is one trace, whichever process did it and after whichever restart: its ids
 * are made of the job's.
 * @param again whether there may be several of it; what is once has an id that whoever tells of it knows
 */
export function stepOf(job: string, { failed, ...step }: Step, again = false): Span {
  const spanId = again ? randomBytes(8).toString("hex") : idOf(job, step.name);
  // A clock may be set back meanwhile.
  const end = Math.max(step.start, step.end);
  return { ...step, end, traceId: traceOf(job), spanId, parentId: wholeOf(job), ...(failed && { failed }) };
}

/** The span of a whole job. */
export function wholeJob(job: string, step: Step): Span {
  const { parentId: _none, ...span } = stepOf(job, step);
  return { ...span, spanId: wholeOf(job) };
}

/** A job's trace: 32 hex digits of the SHA-256 of its id. */
export const traceOf = (job: string) => digest(job).slice(0, 32);

const wholeOf = (job: string) => idOf(job, "");

const idOf = (job: string, name: string) => digest(`${job} ${name}`).slice(0, 16);

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
