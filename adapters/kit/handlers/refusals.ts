import { currentTime } from "../../../src/common/time.ts";
import type { NoticeView, ProblemView } from "../../../src/seam/views.ts";
import type { ChatNotes } from "../messages/notes.ts";
import { leadOn } from "./leftover.ts";

/** So often the same is said to somebody within so long, in milliseconds: whoever goes on all the same has read it. */
const SAID = { most: 3, withinMs: 60_000 } as const;

interface RefusalRules<Context> {
  readonly chatOf: (context: Context) => string;
  readonly post: (context: Context, view: NoticeView | ProblemView) => Promise<unknown>;
}

/**
 * Says what is wrong with what somebody did, with the way on, where each message costs: a flood of what nobody has a use for is not answered
 * one by one. What is said for another reason is said all the same.
 */
export function refusingBy<Context extends { readonly notes: ChatNotes }>({
  chatOf,
  post,
}: RefusalRules<Context>): RefusalRules<Context>["post"] {
  return async (context, view) => {
    const [chat, name] = [chatOf(context), `refused:${reasonOf(view)}`];
    const since = currentTime() - SAID.withinMs;
    const kept = (await context.notes.find<readonly number[]>(chat, name)) ?? [];
    const said = kept.filter((at) => at > since);
    if (said.length >= SAID.most) return;
    await context.notes.keep(chat, name, [...said, currentTime()]);
    await post(context, leadOn(view));
  };
}

const reasonOf = (view: NoticeView | ProblemView) =>
  view.kind === "notice" ? view.text.key : view.problem.code;
