import type { Translate } from "../../src/i18n.ts";
import { say as sayMessage, sayProblem } from "../../src/chat/say.ts";
import type {
  Action,
  MenuView,
  NoticeView,
  ProblemView,
  ProgressView,
  ResultView,
  View,
} from "../../src/chat/views.ts";
import { TELEGRAM } from "./limits.ts";

/** A view as a message: HTML of the Bot API's kind, and the rows of its keyboard. */
export interface Rendered {
  readonly html: string;
  readonly rows: readonly (readonly Action[])[];
}

/** Text that Telegram shows as it is (https://core.telegram.org/bots/api#html-style). */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A text cut so that it fits, with a sign that it was cut: in characters, before it is escaped. */
export function cut(text: string, limit: number): string {
  const letters = Array.from(text);
  return letters.length <= limit
    ? text
    : `${letters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

/** A view in the person's language; a result is what is said under its file. */
export function render(say: Translate, view: View): Rendered {
  switch (view.kind) {
    case "notice":
      return notice(say, view);
    case "progress":
      return { html: plain(progressLine(say, view, Date.now())), rows: rowsOf(view.actions) };
    case "result":
      return { html: cutHtml(resultLines(say, view), TELEGRAM.caption), rows: rowsOf(view.actions) };
    case "menu":
      return menu(say, view);
    case "problem":
      return problem(say, view);
    default:
      return view satisfies never;
  }
}

const plain = (text: string) => cutHtml([text], TELEGRAM.text);

/** Lines without markup, cut as a whole. */
function cutHtml(lines: readonly string[], limit: number): string {
  return escapeHtml(cut(lines.filter(Boolean).join("\n"), limit));
}

function notice(say: Translate, { text, facts = [], actions }: NoticeView): Rendered {
  const lines = facts.map(({ label, value }) => `${say(label)}: ${sayMessage(say, value)}`);
  return {
    html: plain([sayMessage(say, text), ...(lines.length > 0 ? ["", ...lines] : [])].join("\n")),
    rows: rowsOf(actions),
  };
}

function menu(say: Translate, { title, items, actions }: MenuView): Rendered {
  const lines = items.map((item, index) => {
    const detail = item.detail ? `\n    ${sayMessage(say, item.detail)}` : "";
    return `${index + 1}. ${sayMessage(say, item.title)}${detail}`;
  });
  const rows = items.filter((item) => item.actions.length > 0).map((item) => item.actions);
  return {
    html: plain([sayMessage(say, title), "", ...lines].join("\n")),
    rows: [...rows, ...rowsOf(actions)],
  };
}

function problem(say: Translate, { problem: found, charged, actions }: ProblemView): Rendered {
  const cost =
    charged === null
      ? say("telegram.charged.unknown")
      : charged > 0
        ? say("telegram.charged", { count: charged, tokens: charged })
        : "";
  return { html: plain([sayProblem(say, found), cost].filter(Boolean).join("\n")), rows: rowsOf(actions) };
}

/** What was made, what it cost, what is left, how long it took. */
function resultLines(say: Translate, { job, cost, balance, tookMs }: ResultView): string[] {
  const facts = [
    ...(cost === null ? [] : [say("telegram.cost", { count: cost, tokens: cost })]),
    ...(balance === null ? [] : [say("telegram.left", { count: balance, tokens: balance })]),
    say("telegram.took", { ms: tookMs }),
  ];
  return [sayMessage(say, { key: "telegram.made", params: { operation: job.operation } }), facts.join(" · ")];
}

/** How many blocks a whole bar has: as many as fit beside the percentage on a phone. */
const BLOCKS = 10;

/**
 * Where a job is, in a line or two.
 * @param now milliseconds since 1970
 */
function progressLine(say: Translate, view: ProgressView, now: number): string {
  const { job, phase, ahead = 0, percent, expectedAt } = view;
  const name = sayMessage(say, { key: "telegram.job", params: { operation: job.operation } });
  if (phase !== "running")
    return `${name}\n${phase === "queued" && ahead > 0 ? say("telegram.phase.ahead", { count: ahead }) : say(`telegram.phase.${phase}`)}`;
  const left =
    expectedAt !== undefined && expectedAt > now ? [say("telegram.time_left", { ms: expectedAt - now })] : [];
  const done = Math.round(((percent ?? 0) / 100) * BLOCKS);
  const bar =
    percent === undefined ? [] : [`${"▰".repeat(done)}${"▱".repeat(BLOCKS - done)} ${Math.round(percent)} %`];
  return `${name}\n${[...bar, ...left].join(" · ") || say("telegram.phase.running")}`;
}

/** Buttons as rows: the one that spends or goes on stands first and alone. */
export function rowsOf(actions: readonly Action[] = []): Action[][] {
  const rows = actions.filter(({ style }) => style === "primary").map((action) => [action]);
  const others = actions.filter(({ style }) => style !== "primary");
  for (let at = 0; at < others.length; at += TELEGRAM.buttonsInRow)
    rows.push(others.slice(at, at + TELEGRAM.buttonsInRow));
  return rows;
}
