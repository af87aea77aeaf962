import type { ChatId, Receipt, UserId } from "../../seam/values.ts";
import type { ReportedResult, ReportMeasure } from "../../seam/access/people-desk.ts";
import type { Job } from "../jobs/job.ts";

/** `open`: it is shown. `withheld`: it is not. `settled`: an operator lets it stand, whoever reports it. */
export type ReportState = ReportedResult["state"];

/** Only what everybody in a group sees can be reported, or taken down. */
export const canBeReported = ({ chat, state }: Pick<Job, "chat" | "state">) =>
  chat !== null && state === "completed";

/** Somebody who decided and wanted to be forgotten: that one did, and not reports, stays known. */
export const FORGOTTEN = "forgotten";

/** `operator`: whoever runs Reelay, or whom they named; `moderator`: whoever moderates the place that it was made in. */
export type DecidingRole = "operator" | "moderator";

/** A result that was reported, or that an operator took down. */
export interface Report {
  readonly job: string;
  readonly state: ReportState;
  /** When that was decided, in milliseconds since 1970. */
  readonly at: number;
  /** Who decided it; null where reports or an examination did. */
  readonly by: UserId | typeof FORGOTTEN | null;
  /** As what they did, at that time, whatever they are by now; null where nobody did. */
  readonly role: DecidingRole | null;
  /** How many people reported it. */
  readonly reports: number;
}

/** Whether nobody but whoever runs Reelay decides about a result any more: they did, or their examination. */
export const isFinal = ({ role, reports, state }: Report): boolean =>
  role === null ? state === "withheld" && reports === 0 : role === "operator";

/** Whether those who moderate its place decided about a result, and whoever runs Reelay has not: they may say what is final. */
export const isLeftToOperators = ({ role }: Report) => role === "moderator";

/** Whom notices of reports are for: whoever runs Reelay. */
export const OPERATORS = "operators";

/** Whom a notice is for; a group: those who manage it. */
export type Audience = typeof OPERATORS | ChatId;

/** Those who are told of a report: a group's managers of what was reported or taken down there, not of what only an examiner saw. */
export const audiencesOf = ({ by, reports }: Report, { chat }: Pick<Job, "chat">): readonly Audience[] =>
  chat !== null && (by !== null || reports > 0) ? [OPERATORS, chat] : [OPERATORS];

/** What somebody is to be told of one. */
export interface News {
  readonly report: Report;
  readonly audience: Audience;
  /** What they will have been told when this is told. */
  readonly count: number;
  /** Whether it wants a notice of its own, instead of a change to the one before. */
  readonly anew: boolean;
  /** The notice before, if there is one. */
  readonly notice: Receipt | null;
  /** Where that stands; null: where they are told now. */
  readonly place: string | null;
  /** Tries that failed. */
  readonly failures: number;
}

/** What an operator may do about a result, from which states, and what comes of it. */
export const MEASURES = {
  withhold: { from: ["open", "settled"], to: "withheld" },
  restore: { from: ["withheld"], to: "settled" },
  settle: { from: ["open"], to: "settled" },
} as const satisfies Record<ReportMeasure, { from: readonly ReportState[]; to: ReportState }>;

/** One of {@link MEASURES}. */
export type Measure = ReportMeasure;

/** What can be done about a result that is so. */
export const measuresFrom = (state: ReportState): readonly Measure[] =>
  Object.entries(MEASURES).flatMap(([measure, { from }]) =>
    from.some((one) => one === state) ? [measure as Measure] : [],
  );
