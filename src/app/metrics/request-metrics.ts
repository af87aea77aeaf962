import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Counter, Histogram, type OpenMetricsContentType, type Registry } from "prom-client";
import type { RequestTrace } from "../../infrastructure/queue/request-trace.ts";

/** From one that leaves at once to one that waits for two windows, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60, 120];

/**
 * Counts requests to the service by the published rate that they count towards (section 8.1), and by what came of them.
 * @returns the way to stop it
 */
export function countRequests(registry: Registry<OpenMetricsContentType>): () => void {
  const registers = [registry];
  const requests = new Counter({
    name: "reelay_service_requests",
    help: "Requests to the service; reads a job: those of `status`, divided by jobs.",
    labelNames: ["group", "outcome", "background"] as const,
    registers,
  });
  const waited = new Histogram({
    name: "reelay_service_wait_seconds",
    help: "How long requests waited for their turn within the published rates.",
    labelNames: ["group", "background"] as const,
    buckets: BUCKETS,
    registers,
  });
  const took = new Histogram({
    name: "reelay_service_request_seconds",
    help: "How long the service took to answer.",
    labelNames: ["group"] as const,
    buckets: BUCKETS,
    registers,
  });

  const listener = (message: unknown) => {
    const { group, background, waitedMs, tookMs, outcome } = message as RequestTrace;
    requests.inc({ group, outcome, background: String(background) });
    waited.observe({ group, background: String(background) }, waitedMs / 1_000);
    took.observe({ group }, tookMs / 1_000);
  };
  subscribe("reelay:request", listener);
  return () => void unsubscribe("reelay:request", listener);
}
