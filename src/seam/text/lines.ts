import type { Translate } from "../../common/i18n.ts";
import { sayWithCost } from "./cost.ts";
import { say as sayMessage, sayProblem } from "./say.ts";
import type { MenuView, NoticeView, ProgressView, ResultView, View } from "../views.ts";

/**
 * What a view says on a platform that shows text, line by line; of a result, what is said under its file.
 * @param now milliseconds since 1970
 */
export function linesOf(say: Translate, view: View, now: number): readonly string[] {
  switch (view.kind) {
    case "notice":
      return noticeLines(say, view);
    case "progress":
      return progressLines(say, view, now);
    case "result":
      return resultLines(say, view);
    case "menu":
      return menuLines(say, view);
    case "problem":
      return [
        ...sayWithCost(say, sayProblem(say, view.problem), view, "view"),
        ...factLines(say, view.facts),
      ];
    case "file":
      return [sayMessage(say, view.text)];
    default:
      return view satisfies never;
  }
}

function noticeLines(say: Translate, { text, facts }: NoticeView): string[] {
  return [sayMessage(say, text), ...factLines(say, facts)];
}

function factLines(say: Translate, facts: NoticeView["facts"] = []): string[] {
  const lines = facts.map(({ label, value }, index) => {
    // Several of one kind stand below each other, named once.
    const isNamed = index > 0 && facts[index - 1]?.label === label;
    return `${isNamed ? "  " : `${say(label)}: `}${sayMessage(say, value)}`;
  });
  return lines.length > 0 ? ["", ...lines] : [];
}

function menuLines(say: Translate, { title, items }: MenuView): string[] {
  const lines = items.flatMap((item, index) => [
    `${index + 1}. ${sayMessage(say, item.title)}`,
    ...(item.detail ? [`    ${sayMessage(say, item.detail)}`] : []),
  ]);
  return [sayMessage(say, title), "", ...lines];
}

/** What was made, what it cost, what is left, how long it took. */
function resultLines(say: Translate, { job, cost, balance, tookMs }: ResultView): string[] {
  const facts = [
    ...(cost === null ? [] : [say("view.cost", { count: cost, tokens: cost })]),
    ...(balance === null ? [] : [say("view.left", { count: balance, tokens: balance })]),
    say("view.took", { ms: tookMs }),
  ];
  return [sayMessage(say, { key: "view.made", params: { operation: job.operation } }), facts.join(" · ")];
}

/** How many blocks a whole bar has: as many as fit beside the percentage on a phone. */
const BLOCKS = 10;

/** What is made, and where it is: its place in the queue, or a bar with the time that is left. */
function progressLines(say: Translate, view: ProgressView, now: number): string[] {
  const { job, phase, ahead = 0 } = view;
  const name = sayMessage(say, { key: "view.job", params: { operation: job.operation } });
  if (phase === "running") return [name, runningLine(say, view, now)];
  const isBehind = phase === "queued" && ahead > 0;
  return [name, isBehind ? say("view.phase.ahead", { count: ahead }) : say(`view.phase.${phase}`)];
}

/** Less than this, in milliseconds, is no time that is left. */
const SOON_MS = 1_000;

function runningLine(say: Translate, { percent, expectedAt = 0 }: ProgressView, now: number): string {
  const ms = expectedAt - now;
  const isAll = percent !== undefined && Math.round(percent) >= 100;
  const left = ms >= SOON_MS && !isAll ? [say("view.time_left", { ms })] : [];
  return [...(percent === undefined ? [] : [bar(percent)]), ...left].join(" · ") || say("view.phase.running");
}

/** @param percent 0 to 100, as the service estimates it */
function bar(percent: number): string {
  const done = Math.min(BLOCKS, Math.max(0, Math.round((percent / 100) * BLOCKS)));
  return `${"▰".repeat(done)}${"▱".repeat(BLOCKS - done)} ${Math.round(percent)} %`;
}
