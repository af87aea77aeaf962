import type { ErrorCode, Params } from "../common/errors.ts";
import type { MessageKey } from "../common/i18n.ts";
import type { StatementName, Values } from "./values.ts";
import type { FieldSpec } from "./fields.ts";
import type { ResultMedia } from "../infrastructure/media/files/result-media.ts";

/** A sentence to be said in the person's language. */
export interface Message {
  readonly key: MessageKey;
  readonly params?: Params;
}

/** A button: its token is short, bound to its owner, and outlives a restart. */
export interface Action {
  readonly token: string;
  readonly label: Message;
  /** `primary` spends or goes on, `danger` destroys. */
  readonly style: "primary" | "secondary" | "danger";
}

/** What was asked for, as far as a person may see it. */
export interface JobSummary {
  readonly id: string;
  readonly operation: string;
  readonly values: Values;
  /** When it was asked for, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** A line of a notice: a label and what stands beside it. */
export interface Fact {
  readonly label: MessageKey;
  readonly value: Message;
  /** Set for what somebody wrote themselves: shown behind a tap where others read along. */
  readonly own?: true;
}

/** Something to say, with facts beside it where there are some. */
export interface NoticeView {
  readonly kind: "notice";
  readonly text: Message;
  /** What is stated by its first button, where it asks for that. */
  readonly asks?: StatementName;
  /** The job that it is the last word on. */
  readonly job?: JobSummary;
  /** The job whose words it repeats, by its id: it goes with that, and is no word on how that goes. */
  readonly about?: string;
  readonly facts?: readonly Fact[];
  readonly actions?: readonly Action[];
}

/** Where a job is between being asked for and being delivered. */
export type Phase =
  /** Waiting for its turn; `ahead` jobs of the same person go first. */
  | "queued"
  /** The service cannot be reached; Reelay tries again, nothing is charged. */
  | "unreachable"
  | "submitting"
  /** The answer to the submission was lost and Reelay is looking whether it was accepted. */
  | "checking"
  | "running"
  /** Finished at the service, on its way to the person. */
  | "sending"
  /** Finished at the service, which has no whole file of it yet; Reelay asks again. */
  | "awaiting_file"
  /** Finished, but not examined yet: who examines results cannot be asked. */
  | "awaiting_check"
  /** The service accepts the key no more that it is read with; it goes on with another one of that account. */
  | "awaiting_key"
  /** The service says at the moment that there is no such job; Reelay asks again. */
  | "awaiting_record"
  /** None of the keys that pay for those who have connected none takes it; it goes on once one does. */
  | "awaiting_operator";

/** A job that is going on. The newest state wins: an adapter may drop older ones. */
export interface ProgressView {
  readonly kind: "progress";
  readonly job: JobSummary;
  readonly phase: Phase;
  /** Jobs that go first, while queued. */
  readonly ahead?: number;
  /** 0 to 100, as the service estimates it. */
  readonly percent?: number;
  /** When the end is expected, in milliseconds since 1970, from what earlier jobs took. */
  readonly expectedAt?: number;
  /** Tokens charged, once the service has accepted. */
  readonly cost?: number;
  readonly actions?: readonly Action[];
}

/** A finished job. */
export interface ResultView {
  readonly kind: "result";
  readonly job: JobSummary;
  readonly media: readonly ResultMedia[];
  /** Tokens charged in the end. */
  readonly cost: number | null;
  /** Tokens left; null where it is not known, or not the person's to know. */
  readonly balance: number | null;
  /** From the request to the result, in milliseconds. */
  readonly tookMs: number;
  /** Whether it is to be covered until somebody wants to see it, where the platform can. */
  readonly spoiler: boolean;
  readonly actions: readonly Action[];
}

/** A file for the person alone, such as what is kept about them; short enough to be held in memory. */
export interface FileView {
  readonly kind: "file";
  readonly text: Message;
  readonly file: { readonly name: string; readonly type: string; readonly content: string };
  readonly actions?: readonly Action[];
}

/** A choice to make. */
export interface MenuView {
  readonly kind: "menu";
  readonly title: Message;
  readonly items: readonly MenuItem[];
  readonly actions?: readonly Action[];
}

/** A line of a menu: what it is called, what is known of it, what can be done with it. */
export interface MenuItem {
  /** The job that it is about, where it is about one. */
  readonly job?: string;
  readonly title: Message;
  readonly detail?: Message;
  readonly actions: readonly Action[];
}

/** A failure as a person can act on it. */
export interface Problem {
  readonly code: ErrorCode;
  readonly params: Params;
  /** The field that it is about, where there is one. */
  readonly field?: string;
}

/** Something went wrong: what, what it cost, what can be done. */
export interface ProblemView {
  readonly kind: "problem";
  readonly problem: Problem;
  readonly job?: JobSummary;
  /** What it is about, where that can be changed and tried again. */
  readonly facts?: readonly Fact[];
  /** Tokens charged for it: mostly 0; null where it cannot be told. */
  readonly charged: number | null;
  readonly actions?: readonly Action[];
}

/** Everything that the core can say. Closed: an adapter that forgets a kind does not compile. */
export type View = NoticeView | ProgressView | ResultView | MenuView | ProblemView | FileView;

/** What is missing, to be asked the platform's own way; answered with `Intake.answer`. */
export interface Form {
  /** Bound to its owner; survives a restart. */
  readonly id: string;
  readonly title: Message;
  readonly fields: readonly FieldSpec[];
  /** What is filled in already. */
  readonly values: Values;
  readonly submit: Message;
}
