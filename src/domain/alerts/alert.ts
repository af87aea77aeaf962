import type { Params } from "../../common/errors.ts";
import type { AlertKind } from "../../seam/access/alerts.ts";

/** Something that is not as it should be, as somebody has just seen it. */
export interface Sighting {
  readonly kind: AlertKind;
  /** Which one, where there may be several of a kind: a platform, an endpoint. */
  readonly of?: string;
  /** What its sentences are filled with: never a key, words, or who somebody is. */
  readonly params: Params;
}

/** How long something must be so before it is told, and gone before it counts as over, in milliseconds. */
export interface AlertPatience {
  readonly holdsMs: number;
  readonly endsMs: number;
}

/** What is known of a condition: nodes write when they see it, and nobody writes that they do not. Milliseconds since 1970. */
export interface AlertState {
  /** When it was first seen: what comes and goes is one condition, until it has been gone for long enough to be over. */
  readonly since: number;
  readonly seenAt: number;
  /** Whether it held for long enough to be told. */
  readonly isOn: boolean;
}

/** What is known of a condition that was just seen. What was last seen so long ago that it is over begins anew. */
export function seen(
  before: AlertState | undefined,
  now: number,
  { holdsMs, endsMs }: AlertPatience,
): AlertState {
  const goesOn = before && (before.isOn || now - Math.min(before.seenAt, now) < endsMs);
  // What seems to be of the future was written before the clock was set back.
  const since = goesOn ? Math.min(before.since, now) : now;
  return { since, seenAt: now, isOn: (goesOn && before.isOn) || now - since >= holdsMs };
}

/**
 * Whether a condition is over: nobody has seen it for long enough, though somebody looked.
 * @param lookingSince since when that is looked for without a break, in milliseconds since 1970
 */
export function isOver(
  { seenAt }: Pick<AlertState, "seenAt">,
  now: number,
  lookingSince: number,
  { endsMs }: Pick<AlertPatience, "endsMs">,
): boolean {
  return now - Math.max(Math.min(seenAt, now), lookingSince) >= endsMs;
}
