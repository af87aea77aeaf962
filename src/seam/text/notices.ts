import { action, CONNECT_KEY } from "./actions.ts";
import type { ErrorCode } from "../../common/errors.ts";
import type { MessageKey } from "../../common/i18n.ts";
import type { Action, Fact, JobSummary, NoticeView, Problem, ProblemView, View } from "../views.ts";

/** What is to be waited for is among them, and can be cancelled there as long as it waits itself. */
const JOBS: Action = action("jobs", "", "command.jobs");

/** What is said of a press that came again: nothing went wrong, so that it is a notice. */
const BEGUN = {
  kind: "notice",
  text: { key: "error.already_begun" },
  actions: [JOBS],
} as const satisfies NoticeView;

/** What is said of a press on what its person had given up: that is no fault of theirs either. */
const GIVEN_UP = { kind: "notice", text: { key: "job.cancelled" } } as const satisfies NoticeView;

/** What helps against a refusal. */
const WAYS_OUT: ReadonlyMap<string, Action> = new Map<ErrorCode, Action>([
  ["jobs_open", JOBS],
  // What came of the press that they mean is there, or what is their own.
  ["stale_button", JOBS],
  ["not_yours", JOBS],
  ["not_connected", CONNECT_KEY],
  ["unauthorized", CONNECT_KEY],
]);

/** What is said of a press that came to nothing, besides {@link BEGUN}. */
const VAIN: ReadonlySet<ErrorCode> = new Set(["stale_button", "not_yours"]);

/** What somebody is told whose wish came to nothing, and cost nothing. */
export function refusalView({ code, params }: Problem): NoticeView | ProblemView {
  if (code === "already_begun") return BEGUN;
  if (code === "stale_button" && params["end"] === "given_up") return GIVEN_UP;
  const way = wayOut(code);
  return { kind: "problem", problem: { code, params }, charged: 0, ...(way && { actions: [way] }) };
}

/** What helps against a refusal; undefined where nothing does that can be pressed. */
export const wayOut = (code: string): Action | undefined => WAYS_OUT.get(code);

/** Whether a view says no more than that what was pressed has begun: once is enough, and in silence. */
export function isAlreadyBegun(view: View): boolean {
  return view.kind === "notice" && view.text.key === BEGUN.text.key;
}

/** Whether a view says no more than why nothing came of a press: who pressed is told, and nobody else. */
export const isOfPress = (view: View): boolean =>
  isAlreadyBegun(view) || (view.kind === "problem" && !view.job && VAIN.has(view.problem.code));

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

/** What is asked of whoever would delete what only a key that is missing deletes at the service. */
const KEYLESS: ReadonlySet<string> = new Set([
  "delete.no_key",
  "delete_all.ask_no_key",
] satisfies MessageKey[]);

/** Whether a view says that nothing was deleted for want of a key, and what can be done. */
export const isKeyless = (view: View): boolean => view.kind === "notice" && KEYLESS.has(view.text.key);

/** Whether a view says no more than what a press before it had done: in silence. */
export const isSaidBefore = (view: View): boolean => isAlreadyBegun(view) || isDeletedNotice(view);

const FORGOTTEN = { nothing: "forget.done", block: "forget.done_but_block" } as const;

/** What is said to somebody of whom nothing is kept any more. @param kept what there is nevertheless */
export const forgottenNotice = (kept: keyof typeof FORGOTTEN, facts: readonly Fact[]): NoticeView => ({
  kind: "notice",
  text: { key: FORGOTTEN[kept] },
  facts,
});

/** Whether that is what a notice says. */
export const isForgottenNotice = ({ text }: NoticeView): boolean =>
  Object.values<string>(FORGOTTEN).includes(text.key);
