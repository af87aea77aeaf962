import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Platform } from "../chat/values.ts";
import type { RateGroup } from "../contract.ts";
import type { ErrorCode } from "../errors.ts";

/** How something ended: well, or with an error's code. */
type Outcome = "ok" | ErrorCode;

/** What is measured. Labels are names out of our own lists, never anything that a person wrote or is. */
export interface Metrics {
  /** Jobs now in a state. */
  jobs(operation: string, state: string, count: number): void;
  /** A submission was answered. */
  submitted(operation: string, outcome: Outcome): void;
  /** An HTTP call was answered; `ms` from sending to the end of the answer. */
  called(group: RateGroup, outcome: Outcome, ms: number): void;
  /** A call got its turn after this long. */
  queued(group: RateGroup, ms: number): void;
  /** A delivery was tried. */
  delivered(platform: Platform, outcome: Outcome): void;
  /** Everything, as Prometheus reads it. */
  text(): Promise<string>;
  /** The media type of {@link Metrics.text}. */
  readonly contentType: string;
}

/** Makes a registry of its own, with the process's memory, CPU and event loop besides. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const jobs = new Gauge({
    name: "reelay_jobs",
    help: "Jobs by operation and state.",
    labelNames: ["operation", "state"],
    registers,
  });
  const submissions = new Counter({
    name: "reelay_submissions_total",
    help: "Answered submissions; outcome is ok or an error's code.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const calls = new Histogram({
    name: "reelay_call_seconds",
    help: "Calls to the service by rate group; outcome rate_limited and no_free_slot are its 429s.",
    labelNames: ["group", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers,
  });
  const waits = new Histogram({
    name: "reelay_queue_wait_seconds",
    help: "How long calls waited for their turn.",
    labelNames: ["group"],
    buckets: [0.01, 0.1, 1, 5, 15, 30, 60, 300],
    registers,
  });
  const deliveries = new Counter({
    name: "reelay_deliveries_total",
    help: "Tried deliveries; outcome is ok or an error's code.",
    labelNames: ["platform", "outcome"],
    registers,
  });
  return {
    jobs: (operation, state, count) => jobs.set({ operation, state }, count),
    submitted: (operation, outcome) => submissions.inc({ operation, outcome }),
    called: (group, outcome, ms) => calls.observe({ group, outcome }, ms / 1000),
    queued: (group, ms) => waits.observe({ group }, ms / 1000),
    delivered: (platform, outcome) => deliveries.inc({ platform, outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
