import type { FieldProblem, Job, Problem } from "./made/answers.ts";

/** Everything that this client throws. Its message can be shown to people. */
export class ReelayError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No answer came, however often it was tried. */
export class Unreachable extends ReelayError {}

/** A job that came to nothing, or was cancelled: `job.error` says why, `job.cost` what it cost. */
export class JobEnded extends ReelayError {
  readonly job: Job;

  constructor(job: Job) {
    super(job.error?.detail ?? "The job was cancelled.");
    this.job = job;
  }
}

/** What Reelay refused (RFC 9457), where no class of its own says more. */
export class Refused extends ReelayError {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How soon, in seconds, where that is known. */
  readonly retryAfter: number | undefined;
  /** What the log of Reelay knows the request by. */
  readonly requestId: string | undefined;
  /** Every field that is wrong. */
  readonly errors: readonly FieldProblem[];
  /** All that was said: what is still to be stated, for example. */
  readonly problem: Partial<Problem>;

  constructor({ status, headers }: Response, problem: Partial<Problem>) {
    super(problem.detail ?? `Refused with status ${status}.`);
    this.status = status;
    this.code = problem.code ?? "unknown";
    // What stands between may say nothing but its status.
    this.retryable = problem.retryable ?? (status === 429 || status >= 502);
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.errors = problem.errors ?? [];
    this.problem = problem;
  }
}

/** 401 and 403: the token is good for nothing, or not for this. */
export class NotAllowed extends Refused {}
/** 404 and 410: it is not there, or not any more. */
export class NotFound extends Refused {}
/** 409: it does not go together with what is there. */
export class Conflict extends Refused {}
/** 400, 413, 415 and 422: what was sent is wrong; `errors` says where. */
export class Invalid extends Refused {}
/** 429: later. */
export class TooMany extends Refused {}
/** 5xx: Reelay, or the service behind it, cannot at the moment. */
export class Unavailable extends Refused {}

const BY_STATUS: Readonly<Record<number, typeof Refused>> = {
  400: Invalid,
  401: NotAllowed,
  403: NotAllowed,
  404: NotFound,
  409: Conflict,
  410: NotFound,
  413: Invalid,
  415: Invalid,
  422: Invalid,
  429: TooMany,
};

/** A refusal, by its class. */
export async function refusedBy(response: Response): Promise<Refused> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const Class = response.status >= 500 ? Unavailable : (BY_STATUS[response.status] ?? Refused);
  return new Class(response, problem);
}
