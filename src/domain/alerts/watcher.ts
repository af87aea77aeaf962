import type { Sighting } from "./alert.ts";

/** Looks at something that operators are alerted to. */
export interface Watcher {
  /** How often it looks at most, in milliseconds; left out, as often as anything is looked at. */
  readonly everyMs?: number;
  /** Set for what is the same from every node: one of them looks. */
  readonly once?: true;
  /** What is not as it should be now. @throws where that cannot be told: then nothing is said of it */
  look(signal: AbortSignal): Promise<readonly Sighting[]>;
  /** Ends what it listens to. */
  readonly close?: () => void;
}
