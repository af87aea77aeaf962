/** What travels between the console's page and its server, as JSON, beside the types of `src/seam/access/console.ts`. */
import type { Params } from "../../../src/common/errors.ts";
import type { Locale } from "../../../src/common/i18n.ts";
import type { Rule } from "../../../src/seam/surface/rules.ts";
import type { Remark } from "../../../src/seam/surface/setup.ts";
import type { KeyCard } from "../../../src/seam/access/key-pool.ts";
import type { AuditEntry } from "../../../src/seam/access/audit.ts";
import type { OperatorAct, OperatorRole } from "../../../src/seam/access/operators.ts";

/** What the console's page needs before it can show anything. */
export interface ConsoleSession {
  /** Who is signed in. */
  readonly operator: string;
  /** What those who run Reelay are called, and partners where they may be looked at, by their ids. */
  readonly names: Readonly<Record<string, string>>;
  readonly role: OperatorRole;
  /** What they may: the page leaves out what they may not. */
  readonly acts: readonly OperatorAct[];
  readonly locale: Locale;
  readonly sandbox: boolean;
}

/** A line of the audit as the console shows it: what people gave and wrote is covered. */
export type ConsoleLine = Omit<AuditEntry, "content" | "files" | "digest"> & {
  /** What an operator noted; null for every other line. */
  readonly note: string | null;
};

/** A page of them, the latest first. */
export interface ConsoleLog {
  readonly lines: readonly ConsoleLine[];
  /** Where the next page begins; null: this is the last. */
  readonly before: number | null;
}

/** Why a rule was not changed, as the page's script reads it. */
export interface RuleRefused {
  readonly code: "bad_request" | "changed_meanwhile";
  readonly params: Params;
  /** What is wrong with what was entered. */
  readonly wrong?: Remark;
  /** The rule as it is, where somebody else was faster. */
  readonly rule?: Rule;
}

/** Why nothing was done about a key that is another than the one that was seen. */
export interface KeyRefused {
  readonly code: "changed_meanwhile";
  readonly params: Params;
  /** As it is now. */
  readonly card: KeyCard;
}
