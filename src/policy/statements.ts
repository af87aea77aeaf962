import type { MessageKey } from "../i18n.ts";

/**
 * What people declare before they may do something, each with the version of its wording: a new one is asked
 * again.
 */
export const STATEMENTS = {
  /** The people in their photos agreed to what is made of them. */
  consent: { version: 1, text: "statement.consent" },
  /** They are 18 or older. */
  adult: { version: 1, text: "statement.adult" },
} as const satisfies Record<string, { version: number; text: MessageKey }>;

/** One of {@link STATEMENTS}. */
export type StatementName = keyof typeof STATEMENTS;
