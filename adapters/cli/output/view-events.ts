import { isAlreadyBegun, isKeyless } from "../../../src/seam/text/notices.ts";
import { say, sayProblem } from "../../../src/seam/text/say.ts";
import type { Action, Message, ProblemView, View } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { ActionLine, CliEvent, Said } from "./events.ts";
import { EXIT_OF } from "./exit-codes.ts";

/** A second press, which is a notice to people. */
const ALREADY_BEGUN: ProblemView = {
  kind: "problem",
  problem: { code: "already_begun", params: {} },
  charged: 0,
};

/** What was to be deleted is still there, which is a question to people. */
const UNDELETED: ProblemView = {
  kind: "problem",
  problem: { code: "deletion_needs_key", params: {} },
  charged: 0,
};

/**
 * A view of the core as an event.
 * @param files where the files of it were saved
 */
export function eventOf(translate: Translate, view: View, files: readonly string[]): CliEvent {
  const actions = (view.actions ?? []).map((action) => actionLine(translate, action));
  switch (view.kind) {
    case "notice": {
      // Whoever calls from a script waits for something to be made by this call.
      if (isAlreadyBegun(view)) return problemEvent(translate, ALREADY_BEGUN);
      // The way on is said as a button here, and no part of a request.
      if (isKeyless(view))
        return { ...problemEvent(translate, UNDELETED), text: say(translate, view.text), actions };
      const facts = (view.facts ?? []).map(({ label, value }) => ({
        name: label,
        label: translate(label),
        value: said(translate, value),
      }));
      return { event: "notice", ...said(translate, view.text), facts, actions };
    }
    case "progress": {
      const { kind: _kind, job, ...state } = view;
      const { phase, ahead } = state;
      const text =
        phase === "queued" && ahead
          ? translate("cli.phase.ahead", { count: ahead })
          : translate(`cli.phase.${phase}`);
      return { event: "progress", job: job.id, operation: job.operation, ...state, text, actions };
    }
    case "result": {
      const { job, cost, balance, tookMs } = view;
      return {
        event: "result",
        job: job.id,
        operation: job.operation,
        files,
        cost,
        balance,
        tookMs,
        actions,
      };
    }
    case "menu": {
      const items = view.items.map(({ job, title, detail, actions }) => ({
        ...(job !== undefined && { job }),
        title: said(translate, title),
        ...(detail && { detail: said(translate, detail) }),
        actions: actions.map((action) => actionLine(translate, action)),
      }));
      return { event: "menu", ...said(translate, view.title), items, actions };
    }
    case "file": {
      const { name, content } = view.file;
      const [path = null] = files;
      return {
        event: "file",
        ...said(translate, view.text),
        name,
        path,
        content: path === null ? content : null,
        actions,
      };
    }
    case "problem":
      return { ...problemEvent(translate, view), actions };
    default:
      return view satisfies never;
  }
}

function problemEvent(translate: Translate, { problem, job, charged }: ProblemView): CliEvent<"problem"> {
  return {
    event: "problem",
    ...problem,
    text: sayProblem(translate, problem),
    ...(job && { job: job.id }),
    charged,
    exitCode: EXIT_OF[problem.code],
    actions: [],
  };
}

function said(translate: Translate, message: Message): Said {
  return { key: message.key, params: message.params ?? {}, text: say(translate, message) };
}

function actionLine(translate: Translate, { token, label }: Action): ActionLine {
  return { token, label: say(translate, label) };
}
