import type { Act } from "../../seam/access/audit.ts";
import type { ChatId, Platform, StatementName, UserId } from "../../seam/values.ts";
import type { Json } from "../../common/json.ts";
import type { ErrorCode, Params } from "../../common/errors.ts";
import type { JobState } from "../jobs/job.ts";

/** Raised when a reader of the version before could misread it; what is only added does not count. */
export const EXPORT_VERSION = 1;

/**
 * What is kept about a person, as one JSON file. What does not fit into one file goes on in further ones: they hold the
 * lists alone. Times are ISO 8601 with a zone; what is null is not known, or was not said.
 */
export interface PersonExport extends Partial<ExportHead>, ExportLists {
  readonly format: "reelay-export";
  readonly version: typeof EXPORT_VERSION;
  /** Counts the files, from 1. */
  readonly part: number;
  /** Whether another file follows. */
  readonly more: boolean;
}

/** What stands in the first file alone. */
export interface ExportHead {
  readonly exportedAt: string;
  readonly person: { readonly id: UserId; readonly platform: Platform };
  /** Whether a key of theirs is stored; the key itself is shown to nobody. */
  readonly key: "stored" | "none";
  /** `spendBelow`: what costs no more begins at once, in tokens. */
  readonly settings: { readonly locale: string | null; readonly spendBelow: number | null };
  /** What they stated, in which version of its wording. */
  readonly statements: readonly {
    readonly statement: StatementName;
    readonly version: string;
    readonly at: string;
    readonly platform: Platform;
  }[];
  /** Sums of all they ever made, also of what was erased since; tokens are those charged. */
  readonly usage: readonly {
    readonly operation: string;
    readonly jobs: number;
    readonly successes: number;
    readonly tokens: number;
  }[];
}

/** What there may be any number of; each list is newest first, but reports. */
export interface ExportLists {
  readonly jobs: readonly ExportedJob[];
  readonly audit: readonly ExportedLine[];
  /** Results that they reported. */
  readonly reports: readonly { readonly job: string; readonly at: string }[];
}

/** A job as its owner gets it. */
export interface ExportedJob {
  readonly id: string;
  readonly operation: string;
  readonly platform: Platform;
  /** The group that it was asked in. */
  readonly chat: ChatId | null;
  /** What was chosen; a file is its name and size, where they are known. */
  readonly values: { readonly [field: string]: Json };
  /** Of a template flagged mature. */
  readonly mature: boolean;
  readonly state: JobState;
  /** How many files came of it; they are at the service. */
  readonly results: number;
  /** Tokens charged. */
  readonly cost: number | null;
  readonly error: { readonly code: ErrorCode; readonly params: Params } | null;
  /** What it counts for in statistics, the service's too. */
  readonly countsFor: { readonly platform: string; readonly username: string };
  readonly askedAt: string;
  readonly acceptedAt: string | null;
  readonly endedAt: string | null;
  /** When they were told of its end. */
  readonly toldAt: string | null;
}

/** A line of the audit that is about them. */
export interface ExportedLine {
  readonly at: string;
  readonly act: Act;
  readonly rule: string | null;
  readonly platform: Platform;
  readonly chat: ChatId | null;
  readonly operation: string | null;
  readonly job: string | null;
  /** A keyed digest of what they asked for, and how many digests of files there are. */
  readonly digest: string | null;
  readonly files: number;
  /** What they asked for, where the operator has it kept. */
  readonly content: Json;
}
