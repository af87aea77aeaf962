import { action } from "../../seam/text/actions.ts";
import type { Values } from "../../seam/values.ts";
import type { Action, MenuItem } from "../../seam/views.ts";
import { isBeingTold, isGoingOn } from "../jobs/job-view.ts";
import { isOpen, type Job } from "../jobs/job.ts";
import type { Report } from "../reports/report.ts";
import { command, pressableSchema } from "./command.ts";

/** Jobs on one page. */
const PAGE = 8;

/** The longest piece of a prompt in a line, in characters. */
const PROMPT_LENGTH = 60;

/** Who withholds a result: whoever examined it, people who reported it, or an operator. */
function withheldBy({ by, reports }: Report): "withheld_flagged" | "withheld" | "taken_down" {
  if (by !== null) return "taken_down";
  return reports === 0 ? "withheld_flagged" : "withheld";
}

/** A person's own jobs, newest first, page by page. */
export const jobs = command({
  name: "jobs",
  label: "command.jobs",
  description: "command.jobs.description",
  kind: "command",
  schema: pressableSchema,
  async run({ ledger, reports, origin, reply }, { of: before }) {
    const page = await ledger.ofUser(origin.user, { before, limit: PAGE + 1 });
    const shown = page.slice(0, PAGE);
    if (shown.length === 0) return reply({ kind: "notice", text: { key: "jobs.none" } });
    const last = shown.at(-1);
    const actions = page.length > PAGE && last ? [action("jobs", last.id, "action.older")] : [];
    const items = await Promise.all(shown.map(async (job) => itemOf(job, await reports.find(job.id))));
    return reply({ kind: "menu", title: { key: "jobs.title" }, items, actions });
  },
});

function itemOf(job: Job, report: Report | undefined): MenuItem {
  const { operation, values, createdAt, cost } = job;
  const text = shorten(wordsOf(values));
  const told = toldOf(job);
  const isWithheld = report?.state === "withheld";
  const state = isWithheld ? withheldBy(report) : told;
  const params = { state, at: createdAt, ...(cost !== null && { tokens: cost }) };
  return {
    job: job.id,
    title: { key: text ? "jobs.line" : "jobs.line_bare", params: { operation, text } },
    detail: { key: cost === null ? "jobs.detail" : "jobs.detail_charged", params },
    actions: actionsOf(job, isWithheld),
  };
}

function toldOf(job: Job): string {
  const { state, delivery, awaits, error } = job;
  if (awaits !== null) return `awaiting_${awaits}`;
  // It may have failed to come for a while: whoever looks for it is told that it is not forgotten.
  if (state === "completed" && isBeingTold(job)) return "on_its_way";
  if (delivery !== "undeliverable") return state;
  return error?.code === "result_gone" ? error.code : delivery;
}

function actionsOf(job: Job, isWithheld: boolean): Action[] {
  if (job.state === "queued") return [action("cancel", job.id, "action.cancel")];
  if (isOpen(job.state)) return [];
  // Its result is on its way: it is neither shown again nor deleted meanwhile.
  const details = action("details", job.id, "action.details");
  if (isGoingOn(job)) return isWithheld ? [details] : [action("change", job.id, "action.change")];
  const remove = action("delete", job.id, "action.delete", "danger");
  if (isWithheld) return [details, remove];
  return [
    ...(job.state === "completed" ? [action("show", job.id, "action.show", "primary")] : []),
    action("change", job.id, "action.change"),
    remove,
  ];
}

/** What a person recognises a job by: their words, else the template. */
function wordsOf({ prompt, template }: Values): string {
  if (typeof prompt === "string") return prompt;
  return typeof template === "string" ? template : "";
}

/** Cuts between characters as people see them, never inside an emoji. */
function shorten(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length <= PROMPT_LENGTH ? text : `${characters.slice(0, PROMPT_LENGTH - 1).join("")}…`;
}
