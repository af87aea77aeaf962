import type { Stats } from "../../infrastructure/api/media-api.ts";

/** What an account's numbers said, read at some moment between two times (milliseconds since 1970). */
export interface AccountReading {
  readonly from: number;
  readonly to: number;
  /** Tokens left; null where that was not said. */
  readonly tokens: number | null;
  /** Jobs ever accepted, by type (section 2.6); null where that was not said. */
  readonly totals: Readonly<Record<string, number>> | null;
  /** Jobs of all types that failed; null where that was not said. */
  readonly failed: number | null;
}

/** What the statistics say. Types whose number is missing are left out, as those without a job are. */
export function readingOf(
  { tokensRemaining, breakdown, failed }: Stats,
  from: number,
  to: number,
): AccountReading {
  const counted = Object.entries(breakdown ?? {}).flatMap(([type, { total }]) =>
    total === null ? [] : [[type, total] as const],
  );
  const totals = breakdown && Object.fromEntries(counted);
  return { from, to, tokens: tokensRemaining, totals, failed };
}
