export { accessLog, cutOff, onceAnswered } from "./telemetry/access-log.ts";
export { makeLogger, type Logger } from "./telemetry/logger.ts";
export { scrub } from "./telemetry/scrub.ts";
