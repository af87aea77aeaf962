import type { AlertKind } from "../../seam/access/alerts.ts";
import type { Sighting } from "./alert.ts";

/** What an alert is about. */
export type AlertSubject = Pick<Sighting, "kind" | "of">;

/** Looks at something that operators are alerted to. */
export interface Watcher {
  /** How often it looks at most, in milliseconds; left out, as often as anything is looked at. */
  readonly everyMs?: number;
  /** Set for what is the same from every node: one of them looks. */
  readonly once?: true;
  /** What is not as it should be now. @throws where that cannot be told: then nothing is said of it */
  look(signal: AbortSignal): Promise<readonly Sighting[]>;
  /**
   * For kinds whose subjects are removed in the database, where every node sees that: an alert is over at once when its subject is no more.
   * Left out where nobody removes them while servers run.
   */
  readonly removed?: {
    readonly kinds: readonly AlertKind[];
    /** Whether it is no more, or no more in use. */
    isRemoved(subject: AlertSubject): Promise<boolean>;
  };
  /** Ends what it listens to. */
  readonly close?: () => void;
}
