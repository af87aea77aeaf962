export { makeLogger, type Logger } from "./telemetry/logger.ts";
export { makeMetrics, type Metrics } from "./telemetry/metrics.ts";
export { scrub } from "./telemetry/scrub.ts";
