import { type OperatorEntry, TERMINAL_OWNER } from "../../../src/seam/access/operators.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { columns } from "./columns.ts";
import type { CliEvent } from "./events.ts";

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

/** What somebody is called. */
export function calledIn(translate: Translate, { id, name }: Pick<OperatorEntry, "id" | "name">): string {
  if (id === TERMINAL_OWNER) return translate("operator.terminal");
  return name ?? translate("operator.not_in");
}

function stateIn(translate: Translate, { removedAt, linkUntil, seenAt }: OperatorEntry): string {
  if (removedAt !== null) return translate("operator.gone", { at: removedAt });
  return [
    ...(seenAt === null ? [] : [translate("operator.seen", { at: seenAt })]),
    ...(linkUntil === null ? [] : [translate("operator.link.until", { at: linkUntil })]),
  ].join(" · ");
}
