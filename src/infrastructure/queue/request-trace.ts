import { channel } from "node:diagnostics_channel";
import type { RateGroup } from "../../common/contract.ts";
import { isTestMode } from "../../common/test-mode.ts";
import { type ErrorCode, ReelayError } from "../../common/errors.ts";

/** A request to the service that was answered or failed, as it is told on Node's channel `reelay:request`. Nothing of whose it is. */
export interface RequestTrace {
  readonly group: RateGroup;
  /** Nobody waited for it. */
  readonly background: boolean;
  /** How long it waited for its turn, and then for its answer, in milliseconds. */
  readonly waitedMs: number;
  readonly tookMs: number;
  /** What came of it: `answered`, or why not. */
  readonly outcome: "answered" | "failed" | ErrorCode;
}

const requests = channel("reelay:request");

/**
 * Tells whoever listens of a request. Costs nothing where nobody does.
 * @param times when it was asked for and when it left, as `performance.now()` gives them
 * @param error why it failed; undefined: it was answered
 */
export function traceRequest(
  { group, background = false }: { readonly group: RateGroup; readonly background?: boolean },
  { askedAt, leftAt }: { readonly askedAt: number; readonly leftAt: number },
  error: unknown,
): void {
  if (!requests.hasSubscribers || isTestMode()) return;
  const told: RequestTrace = {
    group,
    background,
    waitedMs: leftAt - askedAt,
    tookMs: performance.now() - leftAt,
    outcome: error === undefined ? "answered" : error instanceof ReelayError ? error.code : "failed",
  };
  requests.publish(told);
}
