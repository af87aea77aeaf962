import { ReelayError } from "../../common/errors.ts";

/** How long a question stands that destroys something, in milliseconds: an old button must not destroy what came after it. */
const QUESTION_MS = 5 * 60_000;

/** What the button of a question carries that is asked now. */
export const askedNow = () => String(Date.now() + QUESTION_MS);

/**
 * Refuses what the button of no question carries that was asked within that time.
 * @throws ReelayError `stale_button`
 */
export function pressedInTime(carried: string): void {
  const left = Number(carried) - Date.now();
  if (!(left >= 0 && left <= QUESTION_MS)) throw new ReelayError("stale_button");
}
