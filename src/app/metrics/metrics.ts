import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type OpenMetricsContentType,
  Registry,
} from "prom-client";
import { type Counted, labelled, type OtherCounted } from "./counted.ts";
import { countJobs } from "./job-metrics.ts";
import { countRequests } from "./request-metrics.ts";
import { type StateParts, watchState } from "./state-metrics.ts";

/** Numbers for a monitoring system. None of their labels is a person, a key or a text, which also bounds how many there are. */
export interface Metrics {
  readonly contentType: string;
  /** All numbers as OpenMetrics writes them (openmetrics.io). */
  text(): Promise<string>;
  /** What this process itself has counted. */
  counted(): Promise<Counted>;
  close(): void;
}

/** What numbers are made of. */
export interface MetricsParts extends StateParts {
  /** Asks the processes that work beside this one what they have counted; left out, there are none. */
  readonly others?: () => Promise<readonly OtherCounted[]>;
}

/** Begins to count what this process does, its memory and the delay of its event loop among it. */
export function openMetrics({ others = async () => [], ...parts }: MetricsParts): Metrics {
  const counters = openRegistry();
  const state = openRegistry();
  collectDefaultMetrics({ register: state });
  const stops = [countJobs(counters), countRequests(counters)];
  const look = watchState(state, parts);
  const all = async () => {
    const [, theirs] = await Promise.all([look(), others()]);
    const counted = [await counters.getMetricsAsJSON(), ...labelled(theirs)];
    const together = AggregatorRegistry.aggregate<OpenMetricsContentType>(counted);
    together.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    return (await state.metrics()).replace(/# EOF\n$/, "") + (await together.metrics());
  };
  let asking: Promise<string> | undefined;
  return {
    contentType: state.contentType,
    counted: () => counters.getMetricsAsJSON(),
    text() {
      // However many ask at once, the database is looked at once.
      asking ??= all().finally(() => (asking = undefined));
      return asking;
    },
    close: () => stops.forEach((stop) => stop()),
  };
}

function openRegistry(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}
