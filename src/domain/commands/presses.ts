import { asReelayError, type ErrorCode, ReelayError } from "../../common/errors.ts";
import type { Origin } from "../../seam/origin.ts";
import { refusalView } from "../../seam/text/notices.ts";
import type { Action, Fact } from "../../seam/views.ts";
import type { Context } from "./command.ts";
import { currentTime } from "../../common/time.ts";

/** How long a question stands that destroys something, in milliseconds: an old button must not destroy what came after it. */
const QUESTION_MS = 5 * 60_000;

/** What the button of a question carries that is asked now. */
export const askedNow = () => String(currentTime() + QUESTION_MS);

/**
 * Refuses what the button of no question carries that was asked within that time, when it was pressed.
 * @throws ReelayError `stale_button`
 */
export function pressedInTime(
  carried: string,
  { pressedAt = currentTime() }: Pick<Origin, "pressedAt">,
): void {
  const left = Number(carried) - pressedAt;
  if (!(left >= 0 && left <= QUESTION_MS)) throw new ReelayError("stale_button");
}

/** Why a press comes to nothing that may be made again as it is: it has another price, or a right was lacking there. */
const PRESS_AGAIN: ReadonlySet<ErrorCode> = new Set([
  "price_changed",
  "price_unknown",
  "group_right_missing",
  "permission_missing",
]);

/**
 * Does what was pressed; where the same press may go on later, what is wrong is said with the button.
 * @param price that the button said, in tokens; null where it said none
 * @param at the button with a price
 * @param facts what it is about, where that is said with what is wrong
 * @returns whether it was done
 */
export async function orPressAgain(
  { reply }: Pick<Context, "reply">,
  price: number | null,
  at: (price: number | null) => Action | Promise<Action>,
  work: () => Promise<void>,
  facts?: readonly Fact[],
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const { code, params } = asReelayError(error);
    const refused = refusalView({ code, params });
    const isPressable = PRESS_AGAIN.has(code);
    // What nobody foresaw is also logged, and what has begun is no failure.
    if (code === "internal" || refused.kind === "notice" || !(isPressable || facts)) throw error;
    await reply({
      ...refused,
      ...(facts && { facts }),
      ...(isPressable && { actions: [await at(priceNow({ code, params }, price))] }),
    });
    return false;
  }
}

/** What the button says that is offered again. @param price what it said */
function priceNow(
  { code, params }: Pick<ReelayError, "code" | "params">,
  price: number | null,
): number | null {
  if (code === "price_changed") return Number(params["tokens"]);
  return code === "price_unknown" ? null : price;
}
