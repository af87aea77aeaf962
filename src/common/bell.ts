/** What processes that share a database tell each other of. */
export type BellTopic =
  /** A process has left, and its jobs are anybody's. */
  | "left"
  /** Something arrived from a platform: which, and its name in the inbox. */
  | "arrived"
  /** Something happened to a job of a partner's, by its id. */
  | "job-events"
  /** What somebody who runs Reelay may has changed: by their id. */
  | "operators"
  /** A message of a conversation on the page was changed or taken back: whose and which, as JSON. */
  | "conversations"
  /** Something is sent into a chat, for the pace that all keep there together: on which platform, where, and how many messages, as JSON. */
  | "sent"
  /** Settings were stored. */
  | "settings"
  /** What hardly changes, and is kept in mind elsewhere, was changed: its table and key, as JSON. */
  | "changed";

/**
 * Wakes those in other processes who wait for something that stands in the database. It says where to look and nothing else: what was
 * rung for may be there already, or be gone again.
 */
export interface Bell {
  /** Whether there may be processes that hear it. */
  readonly isShared: boolean;
  /** Whether what others ring for is heard at the moment, as far as can be told. */
  readonly hears: boolean;
  /** To be called once what is to be looked at is committed; whoever listens in this process hears nothing. Never fails. */
  ring(topic: BellTopic, key: string): void;
  /**
   * Calls back with each key that another process rings for; undefined: any may have been missed. Returns the way to stop it.
   */
  on(topic: BellTopic, listener: (key: string | undefined) => void): () => void;
}

/** Where all that is to be told is heard in this process, or looked for now and then. */
export const NO_BELL: Bell = { isShared: false, hears: false, ring: () => {}, on: () => () => {} };
