import type { UserId } from "../values.ts";
import type { Remark, SettingKind, SetupState } from "./setup.ts";

/** What rules are about; each is a part of the page. */
export const RULE_GROUPS = [
  "people",
  "caps",
  "budgets",
  "content",
  "reports",
  "retention",
  "alerts",
  "backups",
] as const;

/** One of {@link RULE_GROUPS}. */
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** That somebody changed a rule; a secret's values are never told. */
export interface RuleChange {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: UserId | null;
  /** Undefined: it is not told, or not known any more. Null: nothing was set, so that {@link Rule.fallback} was in force. */
  readonly from?: string | null;
  readonly to?: string | null;
}

/** A setting that those who run Reelay may change while it runs. */
export interface Rule {
  /** The setting's own name. */
  readonly name: string;
  readonly kind: SettingKind;
  /** What it may be, of a `choice`. */
  readonly choices: readonly string[];
  /** What is set; null where nothing is, and for secrets. */
  readonly value: string | null;
  /** What is in force where nothing is set; "" where nothing is. */
  readonly fallback: string;
  /** Who says what is in force. */
  readonly from: "environment" | "stored" | "default";
  /** Whether it names something on the machine, so that the environment alone says it. */
  readonly isPlace: boolean;
  /** When a change counts: `reopened`: once everything is opened anew for it, which takes some seconds; `start`: with the next start. */
  readonly counts: "at_once" | "reopened" | "start";
  /** Rises with each change of it; whoever changes it says which one they saw. */
  readonly version: number;
  /** The latest first; as many as are shown. */
  readonly changes: readonly RuleChange[];
  /** Why what is stored is not used. */
  readonly unused?: Remark;
}

/** All rules, and how far they are in force. */
export interface RulesState {
  readonly inForce: SetupState["inForce"];
  readonly groups: readonly { readonly id: RuleGroup; readonly rules: readonly Rule[] }[];
}

/** What came of a change: `stale`: somebody else was faster, and nothing was changed. */
export type RuleOutcome =
  | { readonly outcome: "saved"; readonly rule: Rule }
  | { readonly outcome: "stale"; readonly rule: Rule }
  | { readonly outcome: "refused"; readonly wrong: Remark };

/** What may be changed while Reelay runs, for those who run it. */
export interface RulesAdmin {
  state(): Promise<RulesState>;
  /**
   * Looks at a new value as {@link change} would, and changes nothing.
   * @returns what is wrong with it; undefined where nothing is
   * @throws ReelayError `not_found` for what is no rule
   */
  check(name: string, value: string | null): Promise<Remark | undefined>;
  /**
   * Changes a rule, and writes down who did.
   * @param wanted its new value, null to have nothing set, and the version that was seen
   * @throws ReelayError `not_found` for what is no rule
   */
  change(
    name: string,
    wanted: { readonly value: string | null; readonly version: number },
    by: UserId,
  ): Promise<RuleOutcome>;
}
