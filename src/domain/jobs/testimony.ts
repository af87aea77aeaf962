import type { AccountReading } from "../accounts/reading.ts";
import { HALF_A_CENT } from "../../seam/amounts.ts";

/** More ways than this to add up what others may have been charged explain anything. */
const MAX_SUMS = 4096;

/** Another job of the account, as far as it moves the account's numbers. */
export interface OtherJob {
  /** The service's type (section 2.4). */
  readonly type: string;
  /** It was accepted between these two, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Null: nobody knows whether it was accepted at all. */
  readonly acceptedAt: number | null;
  /** Tokens charged; null where that is not known. */
  readonly cost: number | null;
  /** What its end may have given back since: nothing, all of it, or nobody knows. */
  readonly ending: "none" | "refund" | "unknown";
}

/** What a number that was read says of one job. */
export interface Testimony {
  /** The change that was seen is explained without it. */
  readonly withoutIt: boolean;
  /** It is explained with it. */
  readonly withIt: boolean;
}

/** Whether only its acceptance explains what was seen. */
export const shows = (said: Testimony | null | undefined): boolean =>
  said?.withIt === true && !said.withoutIt;

/** Whether what was seen is explained, and only without it. */
export const rulesOut = (said: Testimony | null | undefined): boolean =>
  said?.withoutIt === true && !said.withIt;

/**
 * What the balance says of a job that costs so much. Undefined, nothing: where it was not read, where something unknown has
 * moved it, and of a job that may be free.
 */
export function tokensSay(
  before: AccountReading,
  now: AccountReading,
  others: readonly OtherJob[],
  price: number | null,
): Testimony | undefined {
  if (before.tokens === null || now.tokens === null || price === null || price < HALF_A_CENT)
    return undefined;
  const sums = sumsOf(others.map((other) => chargesOf(other, before, now)));
  return sums ? testimony(before.tokens - now.tokens, sums, price) : undefined;
}

/** What a number of jobs says of one that would raise it by one. */
export function countSays(change: number, sums: readonly number[]): Testimony {
  return testimony(change, sums, 1);
}

/** By how much others of a type may have raised the number of its jobs between two readings; ascending. */
export function countsOf(
  others: readonly OtherJob[],
  type: string,
  before: AccountReading,
  now: AccountReading,
): readonly number[] {
  const same = others.filter((other) => other.type === type);
  return sumsOf(same.map((other) => timesBetween(other, before, now))) ?? [];
}

function testimony(change: number, sums: readonly number[], own: number): Testimony {
  const explains = (amount: number) => sums.some((sum) => Math.abs(sum + amount - change) < HALF_A_CENT);
  return { withoutIt: explains(0), withIt: explains(own) };
}

/** How often it was accepted between two readings: what was under way while one was read may count there or not. */
function timesBetween(
  { sentAt, acceptedAt }: OtherJob,
  before: AccountReading,
  now: AccountReading,
): readonly number[] {
  const counted = (reading: AccountReading) => {
    if (acceptedAt !== null && acceptedAt < reading.from) return true;
    return sentAt > reading.to ? false : undefined;
  };
  const [then, later] = [counted(before), counted(now)];
  if (then === true || later === false) return [0];
  return then === false && later === true ? [1] : [0, 1];
}

/** What it may have taken from the balance between two readings; undefined for anything. */
function chargesOf(
  other: OtherJob,
  before: AccountReading,
  now: AccountReading,
): readonly number[] | undefined {
  const { cost, ending } = other;
  const times = timesBetween(other, before, now);
  const moved = ending !== "none" || times.some((number) => number > 0);
  if (!moved) return [0];
  if (cost === null || ending === "unknown") return undefined;
  const charges = times.map((number) => number * cost);
  return ending === "refund" ? charges.flatMap((charge) => [charge, charge - cost]) : charges;
}

/** Every sum of one of each, ascending; undefined where one may be anything or there are too many. */
function sumsOf(choices: readonly (readonly number[] | undefined)[]): readonly number[] | undefined {
  let sums = new Set([0]);
  for (const choice of choices) {
    if (choice === undefined) return undefined;
    sums = new Set([...sums].flatMap((sum) => choice.map((amount) => cents(sum + amount))));
    if (sums.size > MAX_SUMS) return undefined;
  }
  return [...sums].toSorted((a, b) => a - b);
}

/** Binary fractions that mean the same amount become one. */
const cents = (amount: number) => Math.round(amount * 10_000) / 10_000;
