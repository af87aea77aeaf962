import type { JobSummary, NoticeView, Problem, ProblemView, View } from "../views.ts";

/** What is said of a press that came again: nothing went wrong, so that it is a notice. */
const BEGUN = { kind: "notice", text: { key: "error.already_begun" } } as const satisfies NoticeView;

/** What somebody is told whose wish came to nothing, and cost nothing. */
export function refusalView({ code, params }: Problem): NoticeView | ProblemView {
  return code === "already_begun" ? BEGUN : { kind: "problem", problem: { code, params }, charged: 0 };
}

/** Whether a view says no more than that what was pressed has begun: once is enough, and in silence. */
export function isAlreadyBegun(view: View): boolean {
  return view.kind === "notice" && view.text.key === BEGUN.text.key;
}

/** A problem as it may be told where others read along: what somebody has left is nobody else's business. */
export const unsaid = ({ code, params, ...others }: Problem): Problem =>
  code === "tokens_missing"
    ? { ...others, code: "insufficient_tokens", params: {} }
    : { ...others, code, params };

/** What is shown instead of a job that is gone. */
export const deletedNotice = (job?: JobSummary): NoticeView => ({
  kind: "notice",
  text: { key: "job.deleted" },
  ...(job && { job }),
});

/** Whether a view stands for a job that is gone. */
export const isDeletedNotice = (view: View): boolean =>
  view.kind === "notice" && view.text.key === deletedNotice().text.key;
