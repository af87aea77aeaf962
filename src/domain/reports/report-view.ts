import { reportState } from "../../seam/access/people-desk.ts";
import { action } from "../../seam/text/actions.ts";
import type { Action, MenuItem, Message, NoticeView } from "../../seam/views.ts";
import type { Job } from "../jobs/job.ts";
import { FORGOTTEN, type Report } from "./report.ts";

/** What is so beside a report for those who look at it. */
export interface Seen {
  /** Whether whoever asked for the result is kept out, as far as they decide about that. */
  readonly isBlocked: boolean;
  /** Set where it is not theirs to decide about the result any more: then they are not told who did, either. */
  readonly isFinal?: boolean;
  /** Set where those who moderate its place decided, and an operator looks at it who has not. */
  readonly isLeft?: boolean;
}

/** A reported result as those who decide are told of it: what it is, what was decided by whom, what they can do. */
export function reportCard(report: Report, job: Job, seen: Seen): NoticeView {
  const { isBlocked, isFinal } = seen;
  return {
    kind: "notice",
    text: reportState(report),
    facts: [
      { label: "report.what", value: titleOf(job) },
      { label: "report.whose", value: person(job.user) },
      { label: "report.where", value: placeOf(job) },
      { label: "report.when", value: { key: "fact.date", params: { at: job.createdAt } } },
      ...(report.by === null || report.by === FORGOTTEN || isFinal
        ? []
        : [{ label: "report.by", value: person(report.by) } as const]),
      ...(isBlocked ? [{ label: "report.blocked", value: { key: "fact.yes" } } as const] : []),
    ],
    actions: actionsFor(report, job, seen),
  };
}

/** Platforms show the name of whom they know. */
export const person = (user: string): Message => ({ key: "fact.person", params: { person: user } });

/** Where a result is; a platform may lead to it. */
const placeOf = ({ id, chat, surface }: Job): Message => ({
  key: "fact.place",
  params: { place: chat ?? surface, job: id },
});

/** The same as a line of a list. */
export function reportItem(report: Report, job: Job, seen: Seen): MenuItem {
  return {
    job: job.id,
    title: titleOf(job),
    detail: reportState(report),
    actions: actionsFor(report, job, seen),
  };
}

const titleOf = ({ operation }: Job): Message => ({ key: "jobs.line_bare", params: { operation } });

function actionsFor({ state }: Report, { id, user }: Job, { isBlocked, isFinal, isLeft }: Seen): Action[] {
  const keepOut = isBlocked
    ? action("unblock", user, "action.unblock")
    : action("block", id, "action.block", "danger");
  if (isFinal) return [keepOut];
  return [
    action("review", id, "action.review"),
    state === "withheld"
      ? action("restore", id, "action.restore", "primary")
      : action("withhold", id, "action.withhold", "danger"),
    ...(state === "open" || (state === "settled" && isLeft) ? [action("settle", id, "action.settle")] : []),
    keepOut,
  ];
}
