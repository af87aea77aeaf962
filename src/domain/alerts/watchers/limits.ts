import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RateGroup } from "../../../common/contract.ts";
import type { RequestTrace } from "../../../infrastructure/queue/request-trace.ts";
import type { Watcher } from "../watcher.ts";

/** Sees that the service refuses requests of this process because of a published rate, within which they were sent. */
export function watchLimits(): Watcher {
  let met: RateGroup | undefined;
  const listener = (message: unknown) => {
    const { group, outcome } = message as RequestTrace;
    if (outcome === "rate_limited") met = group;
  };
  subscribe("reelay:request", listener);
  return {
    async look() {
      const group = met;
      met = undefined;
      return group === undefined ? [] : [{ kind: "limit_met", params: { group } }];
    },
    close: () => void unsubscribe("reelay:request", listener),
  };
}
