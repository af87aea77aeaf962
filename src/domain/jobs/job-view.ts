import { platformOf } from "../../seam/values.ts";
import type { NoticeView } from "../../seam/views.ts";
import { action, CONNECT_KEY, spendingAction } from "../../seam/text/actions.ts";
import type { Action, JobSummary, Phase, ProblemView, ProgressView, ResultView } from "../../seam/views.ts";
import type { ResultMedia } from "../../infrastructure/media/files/result-media.ts";
import { operationOf } from "../operations/registry.ts";
import type { Experience } from "./experience/experience.ts";
import { isOpen, type Job } from "./job.ts";
import { LOST } from "./other-job.ts";

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

/** When jobs like one that the service accepted usually end, in milliseconds since 1970; undefined where none has ended yet. */
export function expectedEnd(
  experience: Pick<Experience, "durations">,
  { operation: name, values, acceptedAt }: Pick<Job, "operation" | "values" | "acceptedAt">,
): number | undefined {
  const operation = operationOf(name);
  const usualMs = experience.durations(operation.id, operation.size(values))?.usualMs;
  return usualMs === undefined || acceptedAt === null ? undefined : acceptedAt + usualMs;
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
export function phaseOf({ state, notBefore, awaits }: Job): Phase {
  if (awaits !== null) return `awaiting_${awaits}`;
  // Only a submission that found nobody there has to wait for a set time.
  if (state === "queued" && notBefore > 0) return "unreachable";
  if (state === "queued" || state === "submitting" || state === "running") return state;
  return state === "unsure" ? "checking" : "sending";
}

/** What is told with a result: whether what is left, whether it comes covered, and what it costs to make it again. */
export interface ResultFacts {
  /** See `Account`. */
  readonly tellsBalance: boolean;
  readonly spoiler: boolean;
  /** Tokens; null where it is not known. */
  readonly price: number | null;
}

/** The button that makes the same once more, with what that costs. */
export function againAction({ id }: Pick<Job, "id">, price: number | null, style: Action["style"]): Action {
  return spendingAction("again", id, { bare: "action.again", priced: "action.again_for" }, price, style);
}

/** The same with another seed. */
export function newSeedAction({ id }: Pick<Job, "id">, price: number | null): Action {
  const labels = { bare: "action.new_seed", priced: "action.new_seed_for" } as const;
  return spendingAction("new-seed", id, labels, price, "primary");
}

/** The button that makes something more like a result. With a seed that is another: the same one would make the same file. */
function moreAction(job: Job, price: number | null): Action {
  const hasSeed = "seed" in operationOf(job.operation).schema.shape;
  return hasSeed ? newSeedAction(job, price) : againAction(job, price, "primary");
}

/** A finished job with its file. */
export function resultView(
  job: Job,
  media: readonly ResultMedia[],
  { tellsBalance, spoiler, price }: ResultFacts,
): ResultView {
  const { result } = operationOf(job.operation);
  return {
    kind: "result",
    job: summaryOf(job),
    media,
    cost: job.cost,
    balance: tellsBalance ? job.balance : null,
    tookMs: (job.endedAt ?? job.createdAt) - job.createdAt,
    spoiler,
    actions: [
      moreAction(job, price),
      action("go-on", job.id, result === "image" ? "action.go_on" : "action.go_on.film"),
      action("change", job.id, "action.change"),
      action("details", job.id, "action.details"),
      // Made on the page by somebody from a chat.
      ...(platformOf(job.user) === job.surface ? [] : [action("send", job.id, "action.send")]),
      action("delete", job.id, "action.delete", "danger"),
      // For everybody in the group: the others are its owner's.
      ...(job.chat === null ? [] : [action("report", job.id, "action.report")]),
    ],
  };
}

/** Tokens that a job which came to nothing cost; null where that is not known. */
function chargedFor({ cost, serviceId }: Job, { code }: NonNullable<Job["error"]>): number | null {
  // One that was accepted was charged, whether or not its price was told.
  return LOST.has(code) ? cost : (cost ?? (serviceId === null ? 0 : null));
}

/** Tokens that a job cost, as far as is known by now; null where it is not. */
export function costOf(job: Job): number | null {
  return job.state === "failed" && job.error !== null ? chargedFor(job, job.error) : job.cost;
}

/**
 * A job that came to nothing: why, and what it cost.
 * @param price tokens that it costs to try again; null where it is not known
 */
export function problemView(job: Job, error: NonNullable<Job["error"]>, price: number | null): ProblemView {
  const isMain = error.code !== "product_resting" && job.state !== "completed";
  // It was refused for what is in it, as it would be again.
  const isForGood = error.code === "bad_request";
  return {
    kind: "problem",
    problem: error,
    job: summaryOf(job),
    charged: chargedFor(job, error),
    actions: [
      // What was made and paid for is asked for again, not made again.
      ...(job.state === "completed" ? [action("show", job.id, "action.fetch", "primary")] : []),
      ...(error.code === "product_resting" ? [action("instead", job.id, "action.instead", "primary")] : []),
      ...(isForGood ? [] : [againAction(job, price, isMain ? "primary" : "secondary")]),
      action("change", job.id, "action.change", isForGood ? "primary" : "secondary"),
    ],
  };
}

/** A result that was asked for again and is read by no key that is connected. */
export function needsKeyView({ id }: Job): NoticeView {
  return {
    kind: "notice",
    text: { key: "show.needs_key" },
    about: id,
    actions: [CONNECT_KEY, action("show", id, "action.show")],
  };
}

/** Whether the end of a job is still being told. */
export const isBeingTold = ({ delivery }: Job): boolean => delivery === "due" || delivery === "delivering";

/** Whether there is still something to show the way of. */
export function isGoingOn(job: Job): boolean {
  return isOpen(job.state) || isBeingTold(job);
}

/** What stands where a result was taken down. */
export function withheldView(job: Job): NoticeView {
  return { kind: "notice", text: { key: "report.withheld" }, job: summaryOf(job) };
}
