import { decimal } from "../../seam/amounts.ts";
import type { AccountReading } from "../accounts/reading.ts";
import type { Address, ChatId, Platform, Receipt, Tags, UserId, Values } from "../../seam/values.ts";
import type { ErrorCode, Params } from "../../common/errors.ts";
import type { HeldTokens } from "../budgets/spending.ts";
import type { Host } from "../../common/contract.ts";

/** Where the making of a job is. */
export type JobState =
  /** Accepted by Reelay, not yet sent. */
  | "queued"
  /** The intent is on disk and the POST may be on its way. */
  | "submitting"
  /** The POST's answer was lost: it may or may not have been accepted. */
  | "unsure"
  /** Accepted and charged by the service. */
  | "running"
  | "completed"
  | "failed"
  | "cancelled";

/** Where the telling of its outcome is: "made" and "delivered" are two facts. */
type DeliveryState = "none" | "due" | "delivering" | "delivered" | "undeliverable";

/**
 * What a job waits for that was accepted: its file, a key that it can be read with, the service's memory of it; or that its
 * result can be examined. One that was not sent: that one of the operator's keys takes it.
 */
export type Awaited = "file" | "key" | "record" | "check" | "operator";

/** One job with its whole life: plain data, one row of the ledger. Times are milliseconds since 1970. */
export interface Job {
  readonly id: string;
  readonly user: UserId;
  /** The group it was asked in; null in private. */
  readonly chat: ChatId | null;
  readonly surface: Platform;
  readonly address: Address;
  readonly tags: Tags;
  /** What the platform calls the request; null where it never repeats itself. */
  readonly request: string | null;
  /** Fingerprint of the service key that pays for it. Where it is the operator's, another one of theirs may until it is sent. */
  readonly keyId: string;
  /** The service's host that it is at. */
  readonly host: Host;
  readonly operation: string;
  /** Checked values, pictures as references. */
  readonly values: Values;
  /** What can be told of it from outside; see `Operation.fingerprint`. */
  readonly fingerprint: string;
  /** Whether a template flagged mature was chosen for it. */
  readonly mature: boolean;
  readonly state: JobState;
  readonly delivery: DeliveryState;
  /** The service's id, once accepted. */
  readonly serviceId: string | null;
  /** Tokens charged. */
  readonly cost: number | null;
  /** Tokens left after the charge; until the answer to the submission came, those before it. */
  readonly balance: number | null;
  /** The account's numbers as they were before the submission; null where nobody could read them. */
  readonly before: AccountReading | null;
  /** 0 to 100, as the service last said. */
  readonly progress: number | null;
  /** Where the result can be fetched. */
  readonly result: readonly string[] | null;
  readonly error: { readonly code: ErrorCode; readonly params: Params } | null;
  /** What it waits for, where it does not go on by itself. */
  readonly awaits: Awaited | null;
  /** What the surface needs to find its message again. */
  readonly receipt: Receipt | null;
  readonly createdAt: number;
  /** When the intent to send it was written; null once it has ended, where that was by a clock that was set back since. */
  readonly submittedAt: number | null;
  /** The last byte of its submission left within `RELEASE_MS` of this, if it left; see `Submitter`. */
  readonly releasedAt: number | null;
  /** When the answer to its submission was found to be lost. */
  readonly lostAt: number | null;
  /** At the latest: when the answer came, or it was found. */
  readonly acceptedAt: number | null;
  readonly endedAt: number | null;
  readonly deliveredAt: number | null;
  /** Nothing is tried before this: after a refusal, between two deliveries, or while it waits for something. */
  readonly notBefore: number;
  /** Tries of the current step that came to nothing. */
  readonly attempts: number;
  /** How often it was taken over: what a process writes that had it before is refused. */
  readonly fence: number;
  /** What it counts for in budgets; null where none applied. */
  readonly held: HeldTokens | null;
}

/** What of a job is known when it is asked for. */
export type JobRequest = Pick<
  Job,
  | "user"
  | "chat"
  | "surface"
  | "address"
  | "tags"
  | "request"
  | "keyId"
  | "host"
  | "operation"
  | "values"
  | "fingerprint"
  | "mature"
>;

/** A job that changed, and how it was before. */
export interface JobChange {
  readonly job: Job;
  /** Undefined for a new job. */
  readonly before: Job | undefined;
  /** Whether its person was told of it as it was written. */
  readonly isShown?: boolean;
  /** Whether others tell of it: this process only sees to it at the service. */
  readonly isOthers?: boolean;
}

/** A job that was just asked for. @param now milliseconds since 1970 */
export function newJob(request: JobRequest, id: string, now: number): Job {
  return {
    ...request,
    id,
    state: "queued",
    delivery: "none",
    serviceId: null,
    cost: null,
    balance: null,
    before: null,
    progress: null,
    result: null,
    error: null,
    awaits: null,
    receipt: null,
    createdAt: now,
    submittedAt: null,
    lostAt: null,
    releasedAt: null,
    acceptedAt: null,
    endedAt: null,
    deliveredAt: null,
    notBefore: 0,
    attempts: 0,
    fence: 0,
    held: null,
  };
}

/** What can happen to a job, each a step from one state to another. */
export type Transition =
  /** `balance`: what was left just before; null where it is not known. `before`: see {@link Job}. `keyId`: under which key. */
  | {
      readonly type: "submitting";
      readonly keyId?: string;
      readonly at: number;
      readonly balance: number | null;
      readonly before?: AccountReading | null;
    }
  /** Its last bytes are about to leave, long after the intent: sending took its time. */
  | { readonly type: "releasing"; readonly at: number }
  /** The service certainly did not accept it: it goes back in the queue. `awaits`: what keeps it there. */
  | { readonly type: "postponed"; readonly until: number; readonly awaits?: "operator" }
  | { readonly type: "lost"; readonly at: number }
  /** Proven while unsure not to have been accepted. */
  | { readonly type: "absent" }
  | {
      readonly type: "accepted";
      readonly at: number;
      readonly serviceId: string;
      readonly cost: number | null;
      readonly balance: number | null;
    }
  | { readonly type: "progressed"; readonly progress: number }
  /** Reading it came to nothing that waiting might not mend. */
  | { readonly type: "held"; readonly awaits: Awaited; readonly until: number }
  /** What it waits for may be there: it is tried at once. */
  | { readonly type: "woken" }
  /** What it waited for is there; `keyId`: under another key of its account. */
  | { readonly type: "resumed"; readonly keyId?: string }
  | {
      readonly type: "completed";
      readonly at: number;
      readonly result: readonly string[];
      readonly cost: number | null;
      /** Before this its file is not to be fetched: the service says that it is not ready (section 2.4). */
      readonly lateUntil?: number | undefined;
    }
  | {
      readonly type: "failed";
      readonly at: number;
      readonly error: NonNullable<Job["error"]>;
      readonly cost: number | null;
    }
  | { readonly type: "cancelled"; readonly at: number }
  | { readonly type: "delivering" }
  | { readonly type: "delivered"; readonly at: number }
  | {
      readonly type: "deferred";
      readonly until: number;
      /** What it is to be tried again for, where that is not the platform. */
      readonly awaits?: Awaited | undefined;
      /** Where its files are by now. */
      readonly result?: readonly string[] | undefined;
    }
  /** `error`: why nobody got what was made, where that is not the platform and its person was told, `at` that time. */
  | {
      readonly type: "undeliverable";
      readonly told?: { readonly error: NonNullable<Job["error"]>; readonly at: number };
    }
  /** Delivery is wanted once more; one that is under way counts for nothing. */
  | { readonly type: "redeliver" };

/** An event that does not fit the job's state: a mistake in the program, or another process was faster or took it over. */
export class IllegalTransition extends Error {
  override readonly name = "IllegalTransition";
}

const FROM: Readonly<Record<Transition["type"], readonly (JobState | DeliveryState)[]>> = {
  submitting: ["queued"],
  releasing: ["submitting"],
  // Still queued when a free request that goes before the submission came to nothing.
  postponed: ["queued", "submitting"],
  lost: ["submitting"],
  absent: ["unsure"],
  accepted: ["submitting", "unsure"],
  progressed: ["running"],
  held: ["running"],
  woken: ["running", "completed"],
  resumed: ["running"],
  completed: ["running"],
  failed: ["queued", "submitting", "unsure", "running"],
  cancelled: ["queued"],
  // Again from "delivering" when the ledger could not be written after an attempt.
  delivering: ["due", "delivering"],
  delivered: ["delivering"],
  deferred: ["delivering"],
  undeliverable: ["delivering"],
  redeliver: ["due", "delivering", "undeliverable", "delivered"],
};

const DELIVERY_EVENTS: ReadonlySet<Transition["type"]> = new Set([
  "delivering",
  "delivered",
  "deferred",
  "undeliverable",
  "redeliver",
]);

/**
 * The job after an event. Pure: time comes in with the event.
 * @throws IllegalTransition when the event does not fit
 */
export function after(job: Job, event: Transition): Job {
  const state = DELIVERY_EVENTS.has(event.type) ? job.delivery : job.state;
  if (!FROM[event.type].includes(state))
    throw new IllegalTransition(`${event.type} does not follow ${state}`);
  switch (event.type) {
    case "submitting":
      return {
        ...job,
        state: "submitting",
        keyId: event.keyId ?? job.keyId,
        awaits: null,
        submittedAt: event.at,
        releasedAt: event.at,
        balance: event.balance,
        before: event.before ?? null,
      };
    case "releasing":
      return { ...job, releasedAt: event.at };
    case "postponed": {
      const { awaits = null, until } = event;
      return { ...job, state: "queued", notBefore: until, attempts: job.attempts + 1, awaits };
    }
    case "lost":
      return { ...job, state: "unsure", lostAt: event.at };
    case "absent":
      return { ...job, state: "queued", submittedAt: null, releasedAt: null, lostAt: null, notBefore: 0 };
    case "accepted":
      return {
        ...job,
        state: "running",
        serviceId: event.serviceId,
        cost: event.cost,
        balance: event.balance,
        acceptedAt: event.at,
        attempts: 0,
      };
    case "progressed":
      // The service's estimate may fall; what a person sees never runs backwards.
      return { ...job, progress: Math.max(job.progress ?? 0, event.progress) };
    case "held": {
      const attempts = job.awaits === event.awaits ? job.attempts + 1 : 1;
      return { ...job, awaits: event.awaits, notBefore: event.until, attempts };
    }
    case "woken":
      return { ...job, notBefore: 0 };
    case "resumed":
      return { ...job, awaits: null, notBefore: 0, attempts: 0, keyId: event.keyId ?? job.keyId };
    case "completed": {
      const late = event.lateUntil !== undefined && ({ awaits: "file", notBefore: event.lateUntil } as const);
      const { result } = event;
      return { ...job, ...ended(job, event.at, event.cost), state: "completed", result, ...late };
    }
    case "failed":
      return { ...job, ...ended(job, event.at, event.cost), state: "failed", error: event.error };
    case "cancelled":
      return { ...job, ...ended(job, event.at, 0), state: "cancelled" };
    case "delivering":
      return { ...job, delivery: "delivering" };
    case "delivered":
      return { ...job, delivery: "delivered", deliveredAt: event.at, awaits: null };
    case "deferred": {
      const { awaits = null, result = job.result } = event;
      return { ...job, delivery: "due", notBefore: event.until, attempts: job.attempts + 1, awaits, result };
    }
    case "undeliverable": {
      const told = event.told && { error: event.told.error, deliveredAt: event.told.at };
      return { ...job, delivery: "undeliverable", awaits: null, ...told };
    }
    case "redeliver": {
      // Why the last attempt came to nothing says nothing of this one.
      const error = job.state === "completed" ? null : job.error;
      return { ...job, delivery: "due", notBefore: 0, attempts: 0, awaits: null, error };
    }
    default:
      throw new IllegalTransition(event satisfies never);
  }
}

/** What was charged may be settled anew at the end (section 4.7, rule 4); the balance follows. */
function ended(job: Job, at: number, settled: number | null) {
  const cost = settled ?? job.cost;
  const { balance } = job;
  const isKnown = balance !== null && job.cost !== null && cost !== null;
  const left = isKnown ? decimal(balance + job.cost - cost) : balance;
  const telling = { delivery: "due", notBefore: 0, attempts: 0, awaits: null } as const;
  return { endedAt: at, cost, balance: left, ...telling };
}

/** States in which the service may still be working on a job, or will. */
export const OPEN_STATES = ["queued", "submitting", "unsure", "running"] as const satisfies JobState[];

/** One of them. */
export type OpenState = (typeof OPEN_STATES)[number];

/** States in which a person is still to be told. */
export const OPEN_DELIVERIES = ["due", "delivering"] as const satisfies DeliveryState[];

/** Whether the service may still be working on it, or will. */
export function isOpen(state: JobState): boolean {
  return OPEN_STATES.some((open) => open === state);
}
