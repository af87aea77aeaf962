import type { Readable } from "node:stream";
import type { RateGroup } from "../../common/contract.ts";
import type { JobPhase } from "./job-record.ts";
import type { AlertEntry } from "./alerts.ts";
import type { AuditEntry, AuditQuery } from "./audit.ts";
import type { Money, MoneyPeriod, MoneyRow } from "./money.ts";
import type { Operator, OperatorAct } from "./operators.ts";
import type { ChatId, Platform, UserId } from "../values.ts";
import type { Json } from "../../common/json.ts";

/** Where jobs are that something is still to come of; `untold`: they have ended. */
export type OpenPlace = "queued" | "submitting" | "unsure" | "running" | "untold";

/** Jobs that something is still to come of, of one kind in one place. */
export interface OpenKind {
  readonly operation: string;
  readonly place: OpenPlace;
  readonly count: number;
  /** For how long the oldest has waited there, in milliseconds: since it was asked for; `untold`: since it ended. */
  readonly oldestMs: number;
}

/** Somebody's jobs that something is still to come of. */
export interface OpenPerson {
  readonly user: UserId;
  readonly queued: number;
  /** Sent, and not told yet. */
  readonly others: number;
  /** For how long their oldest has waited, in milliseconds. */
  readonly oldestMs: number;
}

/** How full a published rate's window is. */
export interface FullWindow {
  /** `egress:<name>`: of an address that requests leave by; `key`: of the key with the most. */
  readonly scope: string;
  readonly group: RateGroup;
  readonly used: number;
  readonly limit: number;
}

/** A job in a list. Times are milliseconds since 1970. */
export interface JobLine {
  readonly id: string;
  readonly user: UserId;
  readonly operation: string;
  readonly surface: Platform;
  readonly phase: JobPhase;
  /** In percent, while it runs. */
  readonly progress: number | null;
  readonly createdAt: number;
}

/** Whether everything is there that Reelay stands on. */
export interface Health {
  readonly storage: boolean;
  /** For how long no request to the service was answered, in milliseconds; null: the last one was. */
  readonly silentMs: number | null;
  /** Messages to partners that have not arrived, and how old the oldest is, in milliseconds. */
  readonly webhooks: {
    readonly due: number;
    readonly oldestMs: number;
    /** Addresses where the newest message was given up. */
    readonly givenUp: number;
  };
  readonly platforms: readonly { readonly name: Platform; readonly ready: boolean }[];
  /** The processes that share the database, and how long ago each showed that it lives, in milliseconds. */
  readonly nodes: readonly { readonly id: string; readonly seenMs: number; readonly isThis: boolean }[];
}

/** What is going on now. */
export interface Now {
  /** When it was looked at, in milliseconds since 1970. */
  readonly at: number;
  readonly kinds: readonly OpenKind[];
  /** Those with the most first; `morePeople` are left out. */
  readonly people: readonly OpenPerson[];
  readonly morePeople: number;
  /** Sent to the service, the oldest first; as many as fit on a page. */
  readonly running: readonly JobLine[];
  readonly limits: readonly FullWindow[];
  readonly health: Health;
  /** What is not as it should be, the oldest first; null where nobody looks for that. */
  readonly alerts: readonly AlertEntry[] | null;
}

/** Something that happened to a job, when, and where that is known from. */
export interface JobStep {
  readonly at: number;
  readonly from: "job" | "audit" | "event" | "webhook";
  /** Of a job: `created`, `submitted`...; of the audit, an act; of events and webhooks, the type. */
  readonly what: string;
  /** Who, why, what was answered; "" where nothing is to be said. */
  readonly detail: string;
}

/** What can be done with a job here; each only where it is safe. */
export const JOB_ACTS = ["cancel", "deliver", "offer", "note"] as const;

/** One of {@link JOB_ACTS}. */
export type JobAct = (typeof JOB_ACTS)[number];

/** What tells whether a submission was accepted, whose answer was lost or not. */
export interface Settlement {
  /**
   * `answered`: the service said so. `found`: the answer was lost, and evidence shows that it was accepted. `checking`: it is still
   * looked for. `unknown`: evidence could not tell. `refused`: it was never accepted. `unsent`: nothing left.
   */
  readonly is: "answered" | "found" | "checking" | "unknown" | "refused" | "unsent";
  readonly lostAt: number | null;
  readonly serviceId: string | null;
  /** Left out for those who may not see money: the balance before and after, and what was charged, in tokens. */
  readonly money?: {
    readonly before: number | null;
    readonly after: number | null;
    readonly cost: number | null;
  };
  /** How many jobs of the same key were accepted while it was in doubt: they move the balance, too. Null: it never was. */
  readonly others: number | null;
}

/** A job with all that is known of it, but the words and pictures. */
export interface JobFile extends JobLine {
  readonly chat: ChatId | null;
  /** What statistics call its person. */
  readonly username: string;
  /** What the platform calls the request. */
  readonly request: string | null;
  readonly state: string;
  readonly delivery: string;
  /** Why it came to nothing: an error's code. */
  readonly error: string | null;
  readonly attempts: number;
  readonly mature: boolean;
  readonly steps: readonly JobStep[];
  readonly settlement: Settlement;
  /** What may be done with it as it is now. */
  readonly acts: readonly JobAct[];
}

/** What is covered until somebody asks for it. */
export interface Uncovered {
  /** What was chosen and written, without the files. */
  readonly values: { readonly [field: string]: Json };
  /** How many files were given, and how many were made. */
  readonly given: number;
  readonly made: number;
  readonly makes: "video" | "image";
}

/** A file of a job. Given files are of whatever type their person chose. */
export type JobMedia =
  | { readonly from: "given"; readonly open: () => Promise<Readable> }
  | {
      readonly from: "made";
      readonly open: () => Promise<{ readonly type: string; readonly stream: Readable }>;
    };

/** What somebody who presses has seen: where it is another by now, nothing is done. */
export interface JobSeen {
  readonly state: string;
  readonly delivery: string;
}

/** What those who run Reelay see and do on the page. Who may is asked with {@link ConsoleDesk.may}, before anything else. */
export interface ConsoleDesk {
  may(operator: Operator, act: OperatorAct): boolean;
  /**
   * Tells what is going on now, and again as long as somebody follows: once a second at most, and looked at once for all of them.
   * @param hear is given JSON of {@link Now}
   * @returns the way to stop it
   */
  follow(hear: (json: string) => void): () => void;
  /** Looks once. */
  now(): Promise<Now>;
  /**
   * Jobs that somebody means by an id, an id at the service, a request or a person, newest first.
   * @throws ReelayError `key_in_words` for a key that is known, and for what looks like one and is nothing of these
   */
  find(sought: string): Promise<readonly JobLine[]>;
  /** @throws ReelayError `not_found`; so do all that take an id */
  job(operator: Operator, id: string): Promise<JobFile>;
  /** Shows what is covered, and writes down who saw it. */
  uncover(operator: Operator, id: string): Promise<Uncovered>;
  /** A file of a job that the same operator uncovered lately. @throws ReelayError `stale_button`, `media_gone` */
  media(
    operator: Operator,
    id: string,
    which: { readonly from: JobMedia["from"]; readonly index: number },
  ): Promise<JobMedia>;
  /**
   * Does something with a job, and writes down who did.
   * @param note for `note`
   * @throws ReelayError `changed_meanwhile` where it is not as it was seen, or that is not safe any more; `key_in_words`
   */
  act(operator: Operator, id: string, act: JobAct, seen: JobSeen, note?: string): Promise<void>;
  /**
   * Lines of this process's log that something stands in, such as a request's id, the newest first: as it wrote them, since it started
   * and as far back as it remembers.
   */
  lines(sought: string): readonly string[];
  /** What tokens of some days went to, what this month may come to, and what may still be spent. */
  money(period: MoneyPeriod): Promise<Money>;
  /** The sums of the same days, by everything that they are kept by. */
  moneyRows(period: MoneyPeriod): Promise<readonly MoneyRow[]>;
  /** Lines of the audit, the latest first; without people's words. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>;
}
