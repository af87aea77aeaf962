import { collectDefaultMetrics, type OpenMetricsContentType, Registry } from "prom-client";
import { countJobs } from "./job-metrics.ts";
import { countRequests } from "./request-metrics.ts";
import { type StateParts, watchState } from "./state-metrics.ts";

/** Numbers for a monitoring system. None of their labels is a person, a key or a text, which also bounds how many there are. */
export interface Metrics {
  readonly contentType: string;
  /** All numbers as OpenMetrics writes them (openmetrics.io). */
  text(): Promise<string>;
  close(): void;
}

/** Begins to count what this process does, its memory and the delay of its event loop among it. */
export function openMetrics(parts: StateParts): Metrics {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  const stops = [countJobs(registry), countRequests(registry)];
  const look = watchState(registry, parts);
  let asking: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    text() {
      // However many ask at once, the database is looked at once.
      asking ??= look()
        .then(() => registry.metrics())
        .finally(() => (asking = undefined));
      return asking;
    },
    close: () => stops.forEach((stop) => stop()),
  };
}
