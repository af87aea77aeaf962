import type { OperatorBudgets } from "./budgets.ts";
import type { ClassifierSetting } from "./classifier/setting.ts";
import type { Rules } from "./decision.ts";
import type { FullCatalogPlaces } from "./host.ts";
import type { ModerationSettings } from "./moderation/settings.ts";

/** The rules of whoever runs Reelay. */
export interface PolicyConfig extends Rules {
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  readonly operators: readonly string[];
  readonly fullCatalog: FullCatalogPlaces;
  readonly spoiler: "mature" | "always" | "never";
  /** A day, with the operator's key. */
  readonly dailyCap: number;
  readonly chatDailyCap: number;
  /** Tokens, with the operator's key. */
  readonly budgets: OperatorBudgets;
  /** Undefined: any number. */
  readonly atOnce: number | undefined;
  readonly chatAtOnce: number | undefined;
  /** Undefined: nobody is asked. */
  readonly moderation: ModerationSettings | undefined;
  /** Undefined: nothing is looked at. */
  readonly classifier: ClassifierSetting | undefined;
  /** A chat, a person, or an http(s) address. */
  readonly reportsTo: string;
  /** 0: never. */
  readonly reportsToWithhold: number;
  readonly auditInputs: "digest" | "words" | "all";
  /** Days; 0: for good. */
  readonly keepDays: { readonly jobs: number; readonly audit: number; readonly usage: number };
}
