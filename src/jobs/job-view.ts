import { action } from "../chat/actions.ts";
import type { JobSummary, Phase, ProblemView, ProgressView, ResultMedia, ResultView } from "../chat/views.ts";
import { operationOf } from "../operations/registry.ts";
import { isOpen, type Job } from "./job.ts";

/** What a person may see of what was asked for. */
export function summaryOf({ id, operation, values, createdAt }: Job): JobSummary {
  return { id, operation, values, createdAt };
}

/** What is known beside the job itself. */
export interface ProgressFacts {
  /** Jobs of the same person that go first. */
  readonly ahead: number;
  /** When jobs like it usually end, in milliseconds since 1970. */
  readonly expectedAt: number | undefined;
}

/** A job that is going on, or on its way to the person. */
export function progressView(job: Job, { ahead, expectedAt }: ProgressFacts): ProgressView {
  const phase = phaseOf(job);
  return {
    kind: "progress",
    job: summaryOf(job),
    phase,
    ...(phase === "queued" && { ahead }),
    ...(job.state === "queued" && { actions: [action("cancel", job.id, "action.cancel")] }),
    ...(job.progress !== null && { percent: job.progress }),
    ...(phase === "running" && expectedAt !== undefined && { expectedAt }),
    ...(job.cost !== null && { cost: job.cost }),
  };
}

/** Where a job is that is going on, or on its way to the person. */
export function phaseOf({ state, notBefore }: Job): Phase {
  // Only a submission that found nobody there has to wait for a set time.
  if (state === "queued" && notBefore > 0) return "unreachable";
  if (state === "queued" || state === "submitting" || state === "running") return state;
  return state === "unsure" ? "checking" : "sending";
}

/**
 * A finished job with its file.
 * @param told whether the person may be told what is left (see `Account`), and whether it comes covered
 */
export function resultView(
  job: Job,
  media: readonly ResultMedia[],
  { tellsBalance, spoiler }: { readonly tellsBalance: boolean; readonly spoiler: boolean },
): ResultView {
  return {
    kind: "result",
    job: summaryOf(job),
    media,
    cost: job.cost,
    balance: tellsBalance ? job.balance : null,
    tookMs: (job.endedAt ?? job.createdAt) - job.createdAt,
    spoiler,
    actions: [
      action("again", job.id, "action.again", "primary"),
      ...("seed" in operationOf(job.operation).schema.shape
        ? [action("new-seed", job.id, "action.new_seed")]
        : []),
      action("change", job.id, "action.change"),
      action("details", job.id, "action.details"),
      action("delete", job.id, "action.delete", "danger"),
      // For everybody in the group: the others are its owner's.
      ...(job.chat === null ? [] : [action("report", job.id, "action.report")]),
    ],
  };
}

/** A job that came to nothing: why, and what it cost. */
export function problemView(job: Job, error: NonNullable<Job["error"]>): ProblemView {
  return {
    kind: "problem",
    problem: error,
    job: summaryOf(job),
    charged: error.code === "lost_track" ? null : (job.cost ?? 0),
    actions: [
      ...(error.code === "product_resting" ? [action("instead", job.id, "action.instead", "primary")] : []),
      action("again", job.id, "action.again", error.code === "product_resting" ? "secondary" : "primary"),
      action("change", job.id, "action.change"),
    ],
  };
}

/** Whether there is still something to show the way of. */
export function isGoingOn(job: Job): boolean {
  return isOpen(job.state) || job.delivery === "due" || job.delivery === "delivering";
}
