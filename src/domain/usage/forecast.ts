import { decimal } from "../../seam/amounts.ts";
import type { Forecast } from "../../seam/access/money.ts";
import { endOf } from "../budgets/budget.ts";

export const DAY_MS = 24 * 3_600_000;

/** So many whole days before today tell what one comes to: a week has days of every kind. */
const LOOK_BACK = 7;

/** With fewer nothing is said: one day of many jobs would be a month of them. */
const AT_LEAST = 3;

/** The day of a time in milliseconds since 1970, as YYYY-MM-DD (UTC). */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, "YYYY-MM-DD".length);

/** The first day of a time's month. */
export const firstOfMonth = (at: number): string => `${dayOf(at).slice(0, "YYYY-MM".length)}-01`;

/** The first of the days that a forecast looks at. @param now milliseconds since 1970 */
export function forecastSince(now: number): string {
  const back = dayOf(now - LOOK_BACK * DAY_MS);
  return back < firstOfMonth(now) ? back : firstOfMonth(now);
}

/**
 * What a month may come to: what was charged in it by now, and for what is left of it as much a day as in the last whole days.
 * @param tokens by day, since {@link forecastSince}
 * @param first the first day of which anything is known; undefined: there is none
 * @param now milliseconds since 1970
 */
export function forecastOf(
  tokens: ReadonlyMap<string, number>,
  first: string | undefined,
  now: number,
): Forecast {
  const month = firstOfMonth(now);
  const whole = Array.from({ length: LOOK_BACK }, (_, nth) => dayOf(now - (nth + 1) * DAY_MS)).filter(
    (day) => first !== undefined && day >= first,
  );
  const sum = (days: readonly string[]) =>
    decimal(days.reduce((total, day) => total + (tokens.get(day) ?? 0), 0));
  const soFar = sum([...tokens.keys()].filter((day) => day >= month));
  const days = whole.length;
  const mean = days === 0 ? 0 : sum(whole) / days;
  const until = endOf("month", now);
  const isEnough = days >= AT_LEAST;
  const more = (mean * (until - now)) / DAY_MS;
  return {
    soFar,
    tokens: isEnough ? hundredths(soFar + more) : null,
    perDay: hundredths(mean),
    days,
    until,
  };
}

const hundredths = (tokens: number) => Math.round(tokens * 100) / 100;
