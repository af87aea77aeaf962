import type { Job } from "../../domain/jobs/job.ts";
import type { JobTrace, TracePoint } from "../../domain/jobs/trace.ts";
import type { WebhookTrace } from "../../domain/webhooks/trace.ts";
import type { BegunRequest } from "./requests.ts";
import { type Span, type SpanEvent, stepOf, wholeJob } from "./span.ts";

/** Of how many jobs that go on this process remembers what their rows do not tell; of others that is left out. */
const MOST_JOBS = 10_000;

/** How many events are told of one step; others are left out. */
const MOST_EVENTS = 30;

/** What is known of a job that goes on, beside its row. Times are milliseconds since 1970. */
interface Going {
  /** When the request came that it was asked for with. */
  askedAt?: number;
  reads: number;
  readonly events: SpanEvent[];
  /** When the delivery that is under way began, and had its files. */
  deliverAt?: number | undefined;
  fetchedAt?: number | undefined;
  /** Its own span is told already: nobody could be told, which may be tried anew. */
  isTold?: boolean;
}

/**
 * Makes spans of what is told of jobs: each step when it ends, by the times that stand in the job's row, so that who ends it need not
 * have begun it.
 */
export class JobSteps {
  readonly #going = new Map<string, Going>();

  /**
   * What has ended with what was just told of a job.
   * @param now milliseconds since 1970
   * @param request what is being worked on, where somebody asked over HTTP
   */
  of({ point, job, before }: JobTrace, now: number, request?: BegunRequest): readonly Span[] {
    if (before === undefined) return this.#at(point, job, now);
    if (before === null) return request ? [this.#asked(job, now, request)] : [];
    this.#note(job, before, now);
    return [...sent(job, before), ...this.#made(job, before), ...this.#told(job, before, now)];
  }

  #asked(job: Job, now: number, request: BegunRequest): Span {
    this.#of(job).askedAt = request.at;
    const attributes = { ...about(job), "reelay.request": request.id };
    return stepOf(job.id, { name: "request", start: request.at, end: now, attributes });
  }

  #at(point: TracePoint, job: Job, now: number): readonly Span[] {
    const going = this.#of(job);
    if (point === "read") going.reads += 1;
    if (point === "deliver") [going.deliverAt, going.fetchedAt] = [now, undefined];
    if (point !== "fetched") return [];
    going.fetchedAt = now;
    const start = going.deliverAt ?? now;
    return [stepOf(job.id, { name: "download", start, end: now, attributes: about(job) }, true)];
  }

  /** How far it was, and what it waited for. */
  #note(job: Job, before: Job, now: number): void {
    const { progress, awaits } = job;
    if (progress !== null && progress !== before.progress)
      this.#event(job, { name: "progress", at: now, attributes: { "reelay.progress": progress } });
    if (awaits !== before.awaits && job.endedAt === null)
      this.#event(job, { name: awaits === null ? "goes on" : `waits for its ${awaits}`, at: now });
  }

  #event(job: Job, event: SpanEvent): void {
    const { events } = this.#of(job);
    if (events.length < MOST_EVENTS) events.push(event);
  }

  #made(job: Job, before: Job): readonly Span[] {
    const { id, acceptedAt: start, endedAt: end } = job;
    if (start === null || end === null || before.endedAt !== null) return [];
    const { reads, events } = this.#of(job);
    const attributes = { ...about(job), "reelay.reads": reads, "reelay.outcome": job.state };
    return [stepOf(id, { name: "polling", start, end, attributes, events, failed: failureOf(job) })];
  }

  #told(job: Job, before: Job, now: number): readonly Span[] {
    if (before.delivery !== "delivering" || job.delivery === "delivering") return [];
    const going = this.#of(job);
    const { deliverAt, fetchedAt, askedAt, isTold } = going;
    const outcome = job.delivery === "due" ? "deferred" : job.delivery;
    const failed = outcome === "delivered" ? undefined : outcome;
    // Where another process had begun, nobody knows when.
    const start = fetchedAt ?? deliverAt;
    const attributes = { ...about(job), "reelay.outcome": outcome };
    const delivery =
      start === undefined
        ? []
        : [stepOf(job.id, { name: "delivery", start, end: now, attributes, failed }, true)];
    [going.deliverAt, going.fetchedAt] = [undefined, undefined];
    if (outcome === "deferred") return delivery;
    if (outcome === "delivered") this.#going.delete(job.id);
    // It may be told anew, once its own span is.
    if (before.deliveredAt !== null || isTold) return delivery;
    going.isTold = true;
    const whole = {
      name: `job ${job.operation}`,
      start: askedAt ?? job.createdAt,
      end: now,
      attributes: { ...about(job), "reelay.outcome": job.state },
      failed: failureOf(job) ?? failed,
    };
    return [...delivery, wholeJob(job.id, whole)];
  }

  #of({ id }: Pick<Job, "id">): Going {
    const known = this.#going.get(id);
    if (known) return known;
    // Others go on with those that were never heard of again.
    const [oldest] = this.#going.size < MOST_JOBS ? [] : this.#going.keys();
    if (oldest !== undefined) this.#going.delete(oldest);
    const fresh: Going = { reads: 0, events: [] };
    this.#going.set(id, fresh);
    return fresh;
  }
}

/** A try to tell a partner's program of a job. */
export function webhookSpan({ job, type, failures, at, tookMs, status, error }: WebhookTrace): Span {
  const attributes = {
    "reelay.job": job,
    "reelay.event": type,
    "reelay.failed_tries": failures,
    ...(status !== null && { "http.response.status_code": status }),
  };
  const isTaken = status !== null && status >= 200 && status < 300;
  const failed = isTaken ? undefined : (error ?? `answered ${status}`);
  return stepOf(job, { name: "webhook", start: at, end: at + tookMs, attributes, failed }, true);
}

/** Its way to the service, once the service has it or it has ended: what came to nothing before is in the wait for it. */
function sent(job: Job, before: Job): readonly Span[] {
  const { id, acceptedAt, endedAt, createdAt, submittedAt } = job;
  const end = acceptedAt ?? endedAt;
  if (end === null || before.acceptedAt !== null || before.endedAt !== null) return [];
  const failed = acceptedAt === null ? failureOf(job) : undefined;
  const attributes = about(job);
  const waited = { ...attributes, "reelay.failed_tries": before.attempts };
  // It never left, or came back to the queue.
  if (before.state === "queued" || submittedAt === null)
    return [stepOf(id, { name: "wait", start: createdAt, end, attributes: waited, failed })];
  const wait = stepOf(id, { name: "wait", start: createdAt, end: submittedAt, attributes: waited });
  const lostAt = before.state === "unsure" ? job.lostAt : null;
  const submission = { name: "submission", start: submittedAt, attributes };
  if (lostAt === null) return [wait, stepOf(id, { ...submission, end, failed })];
  return [
    wait,
    stepOf(id, { ...submission, end: lostAt, failed: "lost" }),
    stepOf(id, { name: "reconciling", start: lostAt, end, attributes, failed }),
  ];
}

const about = ({ id, operation, surface }: Job) => ({
  "reelay.job": id,
  "reelay.operation": operation,
  "reelay.platform": surface,
});

const failureOf = ({ state, error }: Job) => (state === "failed" ? (error?.code ?? "internal") : undefined);
