import type { Json } from "../common/json.ts";
import type { UserId } from "./values.ts";
import type { Database } from "../infrastructure/storage/database.ts";

/** What can be heard of a job. */
export const EVENT_TYPES = ["job.progress", "job.completed", "job.failed", "job.cancelled"] as const;

/** One of {@link EVENT_TYPES}. */
export type EventType = (typeof EVENT_TYPES)[number];

/** What partners can be told of all their jobs together, at their endpoints. */
const PARTNER_EVENT_TYPES = ["budget.warning"] as const;

/** One of {@link PARTNER_EVENT_TYPES}. */
export type PartnerEventType = (typeof PARTNER_EVENT_TYPES)[number];

/** What an endpoint can be told. */
export const ENDPOINT_EVENT_TYPES = [...EVENT_TYPES, ...PARTNER_EVENT_TYPES] as const;

/** One of {@link ENDPOINT_EVENT_TYPES}. */
export type EndpointEventType = (typeof ENDPOINT_EVENT_TYPES)[number];

/** What happened to a job. */
export interface JobEvent {
  /** Grows from one event to the next, over all jobs. */
  readonly id: number;
  readonly job: string;
  readonly type: EventType;
  /** The job as it was then, as partners read it. */
  readonly data: Json;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An address of its own that a request gave for its job. */
export interface Callback {
  readonly url: string;
  readonly events: readonly EventType[];
}

/** An event that has just happened. */
export interface NewEvent {
  readonly user: UserId;
  readonly job: string;
  readonly type: EventType;
  readonly data: Json;
  /** Who is told beside the partner's endpoints. */
  readonly callback?: Callback | undefined;
}

/** A transaction, for what is to be written in it as well. */
export type OpenTransaction = Pick<Database, "kysely">;

/** What happened to partners' jobs, kept for those who listen later. */
export interface Events {
  /**
   * Writes an event and, in the same transaction, who is to be told of it by webhook. A job ends once: nothing is
   * written after its end, which is returned again instead.
   * @param also written in the same transaction, whether the event is new or not
   */
  append(event: NewEvent, also?: (within: OpenTransaction) => Promise<void>): Promise<JobEvent>;
  /**
   * Writes the first event of a job in the transaction that writes the job, which nobody can follow yet.
   * @returns false where somebody wants to be told of it by webhook: it is still to be appended, with that
   */
  begin(event: NewEvent, within: OpenTransaction): Promise<boolean>;
  /** Writes what a partner's endpoints that want to hear of it are told. */
  warn(user: UserId, type: PartnerEventType, data: Json): Promise<void>;
  /** A job's events after the one with this id, oldest first; 0: all of them. */
  since(job: string, id: number): Promise<JobEvent[]>;
  /** Whether a job is there still: nothing comes of one that was deleted. */
  isKept(job: string): Promise<boolean>;
  /**
   * Calls back whenever there may be something new of a job, whichever process works on it: with the event where this one wrote it.
   * That it was erased is heard of where this process did so, or one that shares a database server. Returns the way to stop it.
   */
  follow(job: string, listener: (written?: JobEvent) => void): () => void;
  /** Erases a job's events, and what is still to be told of them. */
  forget(job: string): Promise<void>;
}
