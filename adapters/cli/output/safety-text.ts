import type { AuditEntry } from "../../../src/seam/access/audit.ts";
import type { PoolKeyEntry } from "../../../src/seam/access/key-pool.ts";
import type { OperatorEntry } from "../../../src/seam/access/operators.ts";
import type { Block, NewBlock } from "../../../src/seam/access/safety.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { columns } from "./columns.ts";
import type { CliEvent } from "./events.ts";

/** The audit as a table, the latest first. */
export function auditLines(translate: Translate, entries: readonly AuditEntry[]): string[] {
  if (entries.length === 0) return [translate("cli.audit.none")];
  return columns(
    entries.map(({ at, act, by, rule, user, username, operation, job }) => [
      new Date(at).toISOString().replace("T", " ").slice(0, "2026-01-01 12:00:00".length),
      translate(`cli.act.${act}`),
      rule ?? "",
      [user ?? translate("cli.audit.nobody"), ...(username === null ? [] : [username])].join(" "),
      operation ?? "",
      job ?? "",
      by === null ? "" : translate("cli.audit.by", { who: by }),
    ]),
  );
}

/** That somebody is blocked from now on. */
export function blockedLines(translate: Translate, { subject, noPartner }: NewBlock): string[] {
  return [
    translate("cli.block.added", { who: subject }),
    ...(noPartner === undefined ? [] : [translate("cli.block.no_partner", { who: noPartner })]),
  ];
}

/** Who is blocked, with the reasons. */
export function blockLines(translate: Translate, blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return [translate("block.none")];
  return columns(
    blocks.map(({ subject, at, by, reason = "" }) => [
      subject,
      translate("fact.date", { at }),
      by === undefined
        ? reason
        : by === "partner"
          ? translate("cli.block.by_partner")
          : translate("cli.block.by_group", { group: by }),
    ]),
  );
}

/** The keys that pay for those who have connected none. */
export function keyLines(translate: Translate, keys: readonly PoolKeyEntry[]): string[] {
  if (keys.length === 0) return [translate("cli.keys.none")];
  const lines = columns(
    keys.map(({ name, state, since, weight, tier, left, jobs }) => [
      name,
      translate(`keys.state.${state}`, { left: left ?? 0 }),
      translate("keys.since", { at: since }),
      translate("keys.weight", { weight }),
      tier ?? "",
      translate("keys.jobs", { jobs }),
    ]),
  );
  const isUnreadable = keys.some(({ state }) => state === "unreadable");
  return isUnreadable ? [...lines, translate("keys.unreadable")] : lines;
}

/** Those who run Reelay, each with what is known of them. */
export const operatorLines = (translate: Translate, operators: readonly OperatorEntry[]): string[] =>
  columns(
    operators.map((operator) => [
      calledIn(translate, operator),
      operator.id,
      translate(`operator.role.${operator.role}`),
      stateIn(translate, operator),
    ]),
  );

/** A link that was just made. */
export const operatorLinkLines = (translate: Translate, { url }: CliEvent<"operator_link">): string[] => [
  url,
  translate("operator.link.once"),
];

/** What somebody is called; nobody invited whoever has the terminal. */
export function calledIn(
  translate: Translate,
  { invitedAt, name }: Pick<OperatorEntry, "invitedAt" | "name">,
): string {
  if (invitedAt === null) return translate("operator.terminal");
  return name ?? translate("operator.not_in");
}

function stateIn(translate: Translate, { removedAt, linkUntil, seenAt }: OperatorEntry): string {
  if (removedAt !== null) return translate("operator.gone", { at: removedAt });
  return [
    ...(seenAt === null ? [] : [translate("operator.seen", { at: seenAt })]),
    ...(linkUntil === null ? [] : [translate("operator.link.until", { at: linkUntil })]),
  ].join(" · ");
}
