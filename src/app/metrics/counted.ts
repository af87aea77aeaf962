import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** What one process has counted, as plain JSON. */
export type Counted = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What another process of this server has counted. */
export interface OtherCounted {
  /** The shard that it is. */
  readonly shard: string;
  readonly counted: unknown;
}

/**
 * What other processes have counted, each sample with its shard: added up, they would seem to fall when one of them starts anew, which
 * monitoring takes for a start of all.
 */
export function labelled(others: readonly OtherCounted[]): Counted[] {
  return others.flatMap(({ shard, counted }) =>
    // It is this very program's own.
    Array.isArray(counted) ? [(counted as Counted).map((metric) => withShard(metric, shard))] : [],
  );
}

function withShard(metric: Counted[number], shard: string): Counted[number] {
  return {
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, shard } })),
  };
}
