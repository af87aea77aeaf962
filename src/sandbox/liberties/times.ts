import type { Liberties } from "./liberties.ts";

/** Minutes that each zone is ahead of UTC. */
const MINUTES_AHEAD: Readonly<Record<Liberties["zone"], number>> = {
  utc: 0,
  "utc-12": -720,
  "utc-5": -300,
  "utc-3:30": -210,
  "utc+1": 60,
  "utc+5:30": 330,
  "utc+5:45": 345,
  "utc+14": 840,
};

/** Seconds that the clock is ahead. */
const SECONDS_AHEAD: Readonly<Record<Liberties["clock"], number>> = { exact: 0, slow: -90, fast: 90 };

/**
 * A timestamp as the service's own clock and zone show it.
 * @param stamp in UTC with milliseconds and without a zone, as `formats.ts` writes it
 * @param extraSeconds how much further its clock is ahead
 */
export function zoned(
  stamp: string,
  { zone, clock, fractions }: Pick<Liberties, "zone" | "clock" | "fractions">,
  extraSeconds = 0,
): string {
  const ahead = MINUTES_AHEAD[zone] * 60 + SECONDS_AHEAD[clock] + extraSeconds;
  const shown = new Date(Date.parse(`${stamp}Z`) + ahead * 1000).toISOString().slice(0, -1);
  if (fractions === "none") return shown.slice(0, -".000".length);
  return fractions === "microseconds" ? `${shown}000` : shown;
}
