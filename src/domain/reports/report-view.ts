import { action } from "../../seam/text/actions.ts";
import type { Action, MenuItem, Message, NoticeView } from "../../seam/views.ts";
import type { Job } from "../jobs/job.ts";
import { FORGOTTEN, type Report } from "./report.ts";

/** A reported result as operators are told of it: what it is, what was decided by whom, what they can do. */
export function reportCard(report: Report, job: Job, isBlocked: boolean): NoticeView {
  return {
    kind: "notice",
    text: stateOf(report),
    facts: [
      { label: "report.what", value: titleOf(job) },
      { label: "report.whose", value: person(job.user) },
      { label: "report.where", value: placeOf(job) },
      { label: "report.when", value: { key: "fact.date", params: { at: job.createdAt } } },
      ...(report.by === null || report.by === FORGOTTEN
        ? []
        : [{ label: "report.by", value: person(report.by) } as const]),
      ...(isBlocked ? [{ label: "report.blocked", value: { key: "fact.yes" } } as const] : []),
    ],
    actions: actionsFor(report, job, isBlocked),
  };
}

/** Platforms show the name of whom they know. */
const person = (user: string): Message => ({ key: "fact.person", params: { person: user } });

/** Where a result is; a platform may lead to it. */
const placeOf = ({ id, chat, surface }: Job): Message => ({
  key: "fact.place",
  params: { place: chat ?? surface, job: id },
});

/** The same as a line of a list. */
export function reportItem(report: Report, job: Job, isBlocked: boolean): MenuItem {
  return {
    job: job.id,
    title: titleOf(job),
    detail: stateOf(report),
    actions: actionsFor(report, job, isBlocked),
  };
}

const titleOf = ({ operation }: Job): Message => ({ key: "jobs.line_bare", params: { operation } });

/** What is so of a reported result, in a sentence. */
export function stateOf({ state, reports, by }: Report): Message {
  if (state === "settled") return { key: "report.state.settled" };
  if (state === "withheld" && by !== null) return { key: "report.state.taken_down" };
  if (state === "withheld" && reports === 0) return { key: "report.state.flagged" };
  return { key: `report.state.${state}`, params: { count: reports } };
}

function actionsFor({ state }: Report, { id, user }: Job, isBlocked: boolean): Action[] {
  return [
    action("review", id, "action.review"),
    state === "withheld"
      ? action("restore", id, "action.restore", "primary")
      : action("withhold", id, "action.withhold", "danger"),
    ...(state === "open" ? [action("settle", id, "action.settle")] : []),
    isBlocked ? action("unblock", user, "action.unblock") : action("block", id, "action.block", "danger"),
  ];
}
