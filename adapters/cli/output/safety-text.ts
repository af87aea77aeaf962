import type { AuditEntry } from "../../../src/seam/access/audit.ts";
import type { Block } from "../../../src/seam/access/safety.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { columns } from "./columns.ts";

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
