import type { InlineKeyboardMarkup } from "telegraf/types";
import { say as sayMessage, sayProblem } from "../../src/chat/say.ts";
import type {
  MenuView,
  NoticeView,
  ProblemView,
  ProgressView,
  ResultView,
  View,
} from "../../src/chat/views.ts";
import type { Translate } from "../../src/i18n.ts";
import { keyboardOf, menuKeyboard } from "./keyboard.ts";
import { TELEGRAM } from "./limits.ts";

/** A view as a message: HTML of the Bot API's kind, and its keyboard, which may be empty. */
export interface Rendered {
  readonly html: string;
  readonly keyboard: InlineKeyboardMarkup;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text that Telegram shows as it is, also inside of a tag (https://core.telegram.org/bots/api#html-style). */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** In code points. */
const length = (text: string) => Array.from(text).length;

/**
 * A text cut so that it fits, with a sign that it was cut: before it is escaped, so that no tag and no entity is
 * ever cut, and between what people see as characters.
 * @param limit in code points, as Telegram counts
 */
export function cut(text: string, limit: number): string {
  if (length(text) <= limit) return text;
  let kept = "";
  let room = limit - length("…");
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= length(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** A view in the person's language; a result is what is said under its file. */
export function render(say: Translate, view: View): Rendered {
  switch (view.kind) {
    case "notice":
      return { html: textHtml(noticeLines(say, view)), keyboard: keyboardOf(say, view.actions) };
    case "progress":
      return {
        html: textHtml(progressLines(say, view, Date.now())),
        keyboard: keyboardOf(say, view.actions),
      };
    case "result":
      return {
        html: escapeHtml(cut(resultLines(say, view).join("\n"), TELEGRAM.caption)),
        keyboard: keyboardOf(say, view.actions),
      };
    case "menu":
      return {
        html: textHtml(menuLines(say, view)),
        keyboard: menuKeyboard(say, view.items, view.actions),
      };
    case "problem":
      return { html: textHtml(problemLines(say, view)), keyboard: keyboardOf(say, view.actions) };
    default:
      return view satisfies never;
  }
}

const textHtml = (lines: readonly string[]) => escapeHtml(cut(lines.join("\n"), TELEGRAM.text));

function noticeLines(say: Translate, { text, facts = [] }: NoticeView): string[] {
  const lines = facts.map(({ label, value }) => `${say(label)}: ${sayMessage(say, value)}`);
  return [sayMessage(say, text), ...(lines.length > 0 ? ["", ...lines] : [])];
}

function menuLines(say: Translate, { title, items }: MenuView): string[] {
  const lines = items.flatMap((item, index) => [
    `${index + 1}. ${sayMessage(say, item.title)}`,
    ...(item.detail ? [`    ${sayMessage(say, item.detail)}`] : []),
  ]);
  return [sayMessage(say, title), "", ...lines];
}

/** What went wrong and what it cost. That a command which makes nothing cost nothing goes without saying. */
function problemLines(say: Translate, { problem, job, charged }: ProblemView): string[] {
  return [sayProblem(say, problem), ...(job || charged !== 0 ? [chargedText(say, charged)] : [])];
}

function chargedText(say: Translate, charged: number | null): string {
  if (charged === null) return say("telegram.charged.unknown");
  return charged === 0
    ? say("telegram.charged.none")
    : say("telegram.charged", { count: charged, tokens: charged });
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
 * What is made, and where it is: its place in the queue, or a bar with the time that is left.
 * @param now milliseconds since 1970
 */
export function progressLines(say: Translate, view: ProgressView, now: number): string[] {
  const { job, phase, ahead = 0 } = view;
  const name = sayMessage(say, { key: "telegram.job", params: { operation: job.operation } });
  if (phase === "running") return [name, runningLine(say, view, now)];
  const isBehind = phase === "queued" && ahead > 0;
  return [name, isBehind ? say("telegram.phase.ahead", { count: ahead }) : say(`telegram.phase.${phase}`)];
}

function runningLine(say: Translate, { percent, expectedAt = 0 }: ProgressView, now: number): string {
  const left = expectedAt > now ? [say("telegram.time_left", { ms: expectedAt - now })] : [];
  return (
    [...(percent === undefined ? [] : [bar(percent)]), ...left].join(" · ") || say("telegram.phase.running")
  );
}

/** @param percent 0 to 100, as the service estimates it */
function bar(percent: number): string {
  const done = Math.min(BLOCKS, Math.max(0, Math.round((percent / 100) * BLOCKS)));
  return `${"▰".repeat(done)}${"▱".repeat(BLOCKS - done)} ${Math.round(percent)} %`;
}
