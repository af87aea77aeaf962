import type { Suggestion } from "../../../src/seam/fields.ts";
import type { Check, FilesProgress } from "../../../src/seam/surface/runtime.ts";
import { MEASURES } from "../../../src/seam/access/usage.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { columns } from "./columns.ts";
import type { ActionLine, CliEvent } from "./events.ts";
import { freshLines, partnerEventLines, partnersLines } from "./partner-text.ts";
import {
  auditLines,
  blockedLines,
  blockLines,
  calledIn,
  keyLines,
  operatorLines,
  operatorLinkLines,
} from "./safety-text.ts";
import { deliveryLines, endpointLines } from "./webhook-text.ts";
import { currentTime } from "../../../src/common/time.ts";

/** What stands for standard output where the name of a file may stand. */
export const OUTPUT = "-";

/** Nothing that came from outside may steer the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ");
}

/** An event as lines for a person. */
export function linesOf(translate: Translate, event: CliEvent): readonly string[] {
  switch (event.event) {
    case "quote":
      return quoteLines(translate, event);
    case "progress":
      return [progressLine(translate, event, currentTime())];
    case "result":
      return resultLines(translate, event);
    case "notice":
      return noticeLines(event);
    case "file":
      return [
        event.text,
        ...(event.path === null ? [] : [translate("cli.saved", { path: event.path })]),
        ...hints(event.actions),
      ];
    case "jobs":
      return columns(event.jobs.map(({ id, operation, phase }) => [id, operation, phase]));
    case "menu":
      return menuLines(event);
    case "form":
      return formLines(translate, event);
    case "problem":
      return problemLines(translate, event);
    case "settings":
      return event.mistakes.map(
        ({ setting, found, wanted }) => `${setting}: found ${found}, wanted ${wanted}`,
      );
    case "choices":
      return event.choices.length > 0
        ? columns(event.choices.map(choiceRow))
        : [translate("cli.choices.none")];
    case "resumed":
      return [translate(event.count === 0 ? "cli.resume.none" : "cli.resume.some", { count: event.count })];
    case "interrupted":
      return [translate(interruptedKey(event))];
    case "started":
      return [
        translate("cli.started", { url: event.url }),
        ...(event.sandbox ? [translate("cli.started.sandbox")] : []),
        translate("cli.started.stop"),
      ];
    case "sandbox":
      return sandboxLines(translate, event);
    case "doctor":
      return [
        ...event.checks.flatMap((check) => checkLines(translate, check)),
        translate(event.ok ? "cli.doctor.well" : "cli.doctor.unwell"),
      ];
    case "usage":
      return usageLines(translate, event);
    case "audit":
      return auditLines(translate, event.entries);
    case "blocks":
      return blockLines(translate, event.blocks);
    case "blocked":
      return blockedLines(translate, event.block);
    case "unblocked":
      return [translate(event.was ? "cli.block.removed" : "cli.block.unknown", { who: event.subject })];
    case "operators":
      return operatorLines(translate, event.operators);
    case "operator":
      return operatorLines(translate, [event.operator]);
    case "operator_link":
      return operatorLinkLines(translate, event);
    case "operator_removed":
      return [translate("cli.operators.removed", { name: calledIn(translate, event.operator) })];
    case "keys":
      return keyLines(translate, event.keys);
    case "key":
      return keyLines(translate, [event.key]);
    case "partner":
      return partnerEventLines(translate, event);
    case "partners":
      return partnersLines(translate, event.partners);
    case "token":
      return freshLines(translate, event);
    case "revoked":
      return [translate("cli.partner.revoked", { name: event.partner, token: event.token })];
    case "removed":
      return [translate("cli.partner.removed", { name: event.partner })];
    case "webhooks":
      return endpointLines(translate, event.webhooks);
    case "deliveries":
      return deliveryLines(translate, event.deliveries);
    case "resent":
      return [translate("cli.webhooks.resent", { url: event.delivery.url })];
    case "callback_secret":
      return [
        event.secret,
        translate(event.renewed ? "cli.webhooks.secret.renewed" : "cli.webhooks.secret.about"),
      ];
    case "alerts":
    case "alerts_tested":
      return alertLines(translate, event);
    case "rotated":
      return [
        translate("cli.rotated", { count: event.rewritten }),
        ...(event.unreadable > 0 ? [translate("cli.rotated.unreadable", { count: event.unreadable })] : []),
      ];
    case "backed_up":
      return [
        event.path === OUTPUT
          ? translate("cli.backed_up.output")
          : translate("cli.backed_up", { path: event.path }),
        translate(event.hasSecret ? "cli.backed_up.secret" : "cli.backed_up.no_secret"),
      ];
    case "restored":
      return [
        translate("cli.restored"),
        ...(event.ended > 0 ? [translate("cli.restored.ended", { count: event.ended })] : []),
        ...(event.filesAt === undefined ? [] : [translate("cli.restored.files", { place: event.filesAt })]),
      ];
    case "moving":
      return [movingLine(translate, event)];
    case "moved":
      return movedLines(translate, event);
    case "moved_files":
      return movedFilesLines(translate, event);
    case "link":
      return [event.url];
    default:
      return event satisfies never;
  }
}

/**
 * Where a job is, in one line.
 * @param now milliseconds since 1970
 */
export function progressLine(
  translate: Translate,
  { text, expectedAt }: CliEvent<"progress">,
  now: number,
): string {
  const left = expectedAt === undefined ? 0 : expectedAt - now;
  return left >= 1_000 ? `${text} · ${translate("cli.time_left", { ms: left })}` : text;
}

/** How far a move is, in one line. */
export function movingLine(translate: Translate, { step, rows, of }: CliEvent<"moving">): string {
  return translate(`cli.moving.${step}`, { rows, of });
}

/** How many files are where they are to be, in one line. */
export function movingFilesLine(translate: Translate, { files, bytes }: FilesProgress): string {
  return translate("cli.moving_files", { count: files, megabytes: Math.ceil(bytes / 1e6) });
}

function movedFilesLines(
  translate: Translate,
  { from, to, files, bytes, damaged, asItIs }: CliEvent<"moved_files">,
): string[] {
  if (asItIs) return [translate("cli.moved_files.as_it_is", { count: files, from, to })];
  return [
    translate("cli.moved_files", { count: files, megabytes: Math.ceil(bytes / 1e6), to }),
    ...(damaged.length === 0
      ? []
      : [translate("cli.moved_files.damaged", { count: damaged.length, from }), ...damaged]),
    translate("cli.moved_files.next", { from, to }),
  ];
}

function movedLines(translate: Translate, event: CliEvent<"moved">): string[] {
  const { from, to, data: path, hasFiles, hasSecret } = event;
  const isServer = to.startsWith("postgres");
  return [
    translate("cli.moved", { from, to }),
    translate(isServer ? "cli.moved.to_server" : "cli.moved.to_file", { to }),
    ...(isServer && hasFiles ? [translate("cli.moved.files", { path })] : []),
    ...(isServer && hasSecret ? [translate("cli.moved.secret", { path })] : []),
    translate("cli.moved.before", { from }),
  ];
}

function quoteLines(translate: Translate, { tokens, basis, balance, sandbox }: CliEvent<"quote">): string[] {
  return [
    ...(sandbox ? [translate("cli.sandbox")] : []),
    [
      translate(`cli.quote.${basis}`, { tokens: tokens ?? 0 }),
      ...(balance === null ? [] : [translate("cli.left", { tokens: balance })]),
    ].join(" · "),
  ];
}

function resultLines(
  translate: Translate,
  { files, cost, balance, tookMs, actions }: CliEvent<"result">,
): string[] {
  return [
    ...files.map((path) => translate("cli.saved", { path })),
    [
      ...(cost === null ? [] : [translate("cli.charged", { tokens: cost })]),
      ...(balance === null ? [] : [translate("cli.left", { tokens: balance })]),
      translate("cli.took", { ms: tookMs }),
    ].join(" · "),
    ...hints(actions),
  ];
}

function noticeLines(event: CliEvent<"notice">): string[] {
  return [...sayingLines(event), ...hints(event.actions)];
}

function sayingLines({ text, facts }: CliEvent<"notice">): string[] {
  return [text, ...columns(facts.map(({ label, value }) => [label, value.text]))];
}

/** What a notice says, on one line. */
export function noticeText(event: CliEvent<"notice">): string {
  return sayingLines(event).join(" ");
}

function menuLines({ text, items, actions }: CliEvent<"menu">): string[] {
  return [
    text,
    ...items.flatMap((item) => [
      "",
      item.title.text,
      ...(item.detail ? [`  ${item.detail.text}`] : []),
      ...hints(item.actions),
    ]),
    ...(actions.length > 0 ? [""] : []),
    ...hints(actions),
  ];
}

/** What is set, and the call that sets it; of an operation its whole call, to be edited. */
function formLines(translate: Translate, { values, command, changes }: CliEvent<"form">): string[] {
  if (!changes) return [translate("cli.form"), `  ${command}`];
  const rows = changes.map((change) => [
    translate(change.field.label),
    shownValue(translate, change.field, values, {}) ?? translate("cli.form.unset"),
    change.command,
  ]);
  return [translate("cli.form.set"), ...columns(rows)];
}

function problemLines(translate: Translate, { text, charged, actions }: CliEvent<"problem">): string[] {
  const unknown = charged === null ? [translate("cli.charged.unknown")] : [];
  const cost = charged ? [translate("cli.charged", { tokens: charged })] : [];
  return [text, ...unknown, ...cost, ...hints(actions)];
}

function interruptedKey({ jobs, sent, again }: CliEvent<"interrupted">) {
  if (again) return "cli.interrupted.again";
  if (jobs.length === 0) return "cli.interrupted";
  return sent ? "cli.interrupted.sent" : "cli.interrupted.waiting";
}

function sandboxLines(translate: Translate, event: CliEvent<"sandbox">): string[] {
  const { url, fullCatalogUrl, keys, control, liberties = [] } = event;
  // In the documentation's language, whose words the answers are about.
  const drawn = liberties.map(({ name, section, answer, usual }) => [
    `${usual ? " " : "*"} ${name}`,
    `§${section}`,
    answer,
  ]);
  return [
    translate("cli.sandbox.runs"),
    ...columns([
      ["REELAY_API_URL", url],
      ["REELAY_API_URL_FULL_CATALOG", fullCatalogUrl],
      ...Object.entries(keys).map(([tier, key]) => [translate("cli.sandbox.key", { tier }), key] as const),
      [translate("cli.sandbox.control"), control],
    ]),
    ...(drawn.length > 0 ? [translate("cli.sandbox.drawn"), ...columns(drawn)] : []),
    translate("cli.started.stop"),
  ];
}

function checkLines(translate: Translate, { name, ok, found, advice }: Check): string[] {
  const mark = translate(ok ? "cli.doctor.ok" : "cli.doctor.not_ok");
  return [`${ok ? "✓" : "✗"} ${mark}  ${name}: ${found}`, ...(advice ? [`    ${advice}`] : [])];
}

function usageLines(translate: Translate, { by, rows }: CliEvent<"usage">): string[] {
  if (rows.length === 0) return [translate("cli.sums.none")];
  const names = [...by, ...MEASURES].map((name) => translate(`cli.sums.${name}`));
  const lines = rows.map((row) => [
    ...by.map((name) => row[name] ?? translate("cli.sums.forgotten")),
    ...[row.jobs, row.successes, row.tokens].map((count) => translate("fact.number", { count })),
    row.seconds === null ? "" : translate("cli.sums.time", { ms: row.seconds * 1000 }),
  ]);
  return columns([names, ...lines], by.length);
}

function choiceRow({ value, title, category, description = "", variants }: Suggestion): readonly string[] {
  return [value, title, category ?? description, variants > 0 ? `(${variants})` : ""];
}

/** What can be done next, as calls. */
function hints(actions: readonly ActionLine[]): string[] {
  return columns(actions.map(({ token, label }) => [label, `reelay press ${token}`]));
}

/** What is not as it should be, or what became of a test, a line each. */
function alertLines(
  translate: Translate,
  event: CliEvent<"alerts"> | CliEvent<"alerts_tested">,
): readonly string[] {
  if (event.event === "alerts_tested")
    return event.places.length > 0
      ? event.places.map(({ place, outcome }) => translate(`cli.alerts.${outcome}`, { place }))
      : [translate("cli.alerts.nowhere")];
  if (event.alerts.length === 0) return [translate("cli.alerts.none")];
  return event.alerts.map(
    ({ kind, params, since }) =>
      `${translate("fact.date", { at: since })}  ${translate(`alert.${kind}`, params)}`,
  );
}

/** Whether a test of the places where alerts are told reached all of them, and there is one. */
export const isToldEverywhere = (places: CliEvent<"alerts_tested">["places"]) =>
  places.length > 0 && places.every(({ outcome }) => outcome === "told");
