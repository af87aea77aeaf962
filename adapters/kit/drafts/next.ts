import { shortageOf } from "../../../src/seam/forms/price.ts";
import { type ErrorCode, ERRORS } from "../../../src/common/errors.ts";
import type { DraftState } from "./state.ts";

/**
 * What leads from a draft to what is made of it:
 * - `connect`: a key is missing, or is none any more
 * - `own`: a key of their own settles it at once, or time does
 * - `again`: something is to be settled elsewhere, or by time; then it is looked at once more
 * - `change`: what is filled in cannot be made
 */
export type Next = "submit" | Settling;

/** What settles a problem. */
export type Settling = "connect" | "own" | "again" | "change";

const KEYS: ReadonlySet<ErrorCode> = new Set(["not_connected", "key_unreadable", "unauthorized"]);

/** What holds for keys alone that others pay with too. */
const OTHERS: ReadonlySet<ErrorCode> = new Set([
  "daily_cap",
  "chat_cap",
  "shared_key_off",
  "shared_tokens_missing",
  "budget_spent",
  "shared_budget_spent",
]);

/** What is settled at the service, by whoever runs Reelay or the group, or by the next day. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  "insufficient_tokens",
  "tokens_missing",
  "subscription_required",
  "pro_required",
  "ultra_required",
  "not_invited",
  "blocked",
  "room_not_allowed",
  "permission_missing",
  "group_right_missing",
  "operation_not_allowed",
  "price_changed",
  "price_unknown",
  "internal",
]);

/** What settles a problem of a draft. */
export function settlingOf(code: ErrorCode): Settling {
  if (KEYS.has(code)) return "connect";
  if (OTHERS.has(code)) return "own";
  return ELSEWHERE.has(code) || ERRORS[code].retryable ? "again" : "change";
}

/** Whether a key of their own leads on from a draft. */
export const isKeyNext = (next: Next) => next === "connect" || next === "own";

/** What leads on from a draft. */
export function nextOf({
  sheet,
  missing,
  quote,
  obstacle,
}: Pick<DraftState, "sheet" | "missing" | "quote" | "obstacle">): Next {
  const settling = obstacle && settlingOf(obstacle.code);
  if (settling === "connect") return settling;
  if (missing) return "change";
  if (!sheet.costs) return "submit";
  if (!quote) return settling ?? "again";
  return shortageOf(quote) ? "again" : "submit";
}
