import type { Hono } from "hono";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";
import type { Config } from "./config.ts";
import { createServer } from "./server.ts";
import { type Metrics, type MetricsParts, openMetrics } from "./metrics/metrics.ts";
import { METRICS_PATH, metricsRoutes } from "./metrics/routes.ts";

/** Numbers that can be asked for. */
export interface MetricsServer extends Pick<Metrics, "counted"> {
  /** Begins to listen, where they have a port of their own. */
  listen(): Promise<void>;
  stop(): Promise<void>;
}

/** What they are served with. */
interface ServeParts extends MetricsParts {
  readonly log: Logger;
  /** The routes of the server that everybody reaches: they are there unless they have a port of their own. */
  readonly routes: Hono;
  /** Where that listens. */
  readonly host: string;
}

/** Begins to count, and serves the numbers under `/metrics`. Without a token their port is for this machine alone. */
export function serveMetrics(
  { token, port }: NonNullable<Config["metrics"]>,
  { routes, host, log, ...parts }: ServeParts,
): MetricsServer {
  const metrics = openMetrics(parts);
  const own = port === undefined ? undefined : createServer(async () => [], { log });
  (own?.routes ?? routes).route(METRICS_PATH, metricsRoutes(metrics, token));
  return {
    counted: () => metrics.counted(),
    async listen() {
      const url = await own?.listen(token === undefined ? "127.0.0.1" : host, port ?? 0);
      if (url !== undefined) log.info({ url: `${url}${METRICS_PATH}` }, "Numbers can be asked for");
    },
    async stop() {
      metrics.close();
      await own?.stop();
    },
  };
}
