import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Counter, Histogram, type OpenMetricsContentType, type Registry } from "prom-client";
import { inMillionths, inTokens } from "../../domain/budgets/budget.ts";
import type { Job } from "../../domain/jobs/job.ts";
import type { JobTrace } from "../../domain/jobs/trace.ts";

/** From a picture that is there at once to a film that waits in line for an hour, in seconds. */
const BUCKETS = [0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600, 1800, 3600];

const LABELS = ["operation", "platform"] as const;

/**
 * Counts jobs by what they make, where they were asked for and what became of them: those that this process worked on.
 * @returns the way to stop it
 */
export function countJobs(registry: Registry<OpenMetricsContentType>): () => void {
  const registers = [registry];
  const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames: [...LABELS, ...labelNames], registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: LABELS, buckets: BUCKETS, registers });

  const begun = counter("reelay_jobs", "Jobs that were asked for.", []);
  const ended = counter("reelay_jobs_ended", "Jobs that ended.", ["outcome"]);
  const failed = counter("reelay_jobs_failed", "Jobs that failed, by the error that their person was told.", [
    "code",
  ]);
  const tokens = counter("reelay_tokens", "Tokens that jobs had cost when they ended.", []);
  const charged = new Map<string, number>();
  const told = counter("reelay_deliveries", "Outcomes that were told, put off or given up.", ["outcome"]);
  const stages = {
    acceptedAt: histogram("reelay_job_accepted_seconds", "From the request to the service's acceptance."),
    endedAt: histogram("reelay_job_ended_seconds", "From the request to the end."),
    deliveredAt: histogram("reelay_job_delivered_seconds", "From the request to its person's being told."),
  };

  const count = (job: Job, before: Job | null) => {
    const of = { operation: job.operation, platform: job.surface };
    if (before === null) begun.inc(of);
    for (const stage of ["acceptedAt", "endedAt", "deliveredAt"] as const) {
      const at = job[stage];
      if (at !== null && before?.[stage] === null)
        stages[stage].observe(of, Math.max(0, at - job.createdAt) / 1_000);
    }
    if (job.endedAt !== null && before?.endedAt === null) {
      ended.inc({ ...of, outcome: job.state });
      if (job.error && job.state === "failed") failed.inc({ ...of, code: job.error.code });
      const kind = `${of.operation} ${of.platform}`;
      const sum = (charged.get(kind) ?? 0) + inMillionths(job.cost ?? 0);
      charged.set(kind, sum);
      // What a counter adds up itself has the tail of binary fractions (43.82000000000001).
      tokens.remove(of);
      tokens.inc(of, inTokens(sum));
    }
    if (before?.delivery === "delivering" && job.delivery !== "delivering")
      told.inc({ ...of, outcome: job.delivery === "due" ? "deferred" : job.delivery });
  };
  const listener = (message: unknown) => {
    const { job, before } = message as JobTrace;
    if (before !== undefined) count(job, before);
  };
  subscribe("reelay:job", listener);
  return () => void unsubscribe("reelay:job", listener);
}
