export { accessLog, cutOff, onceAnswered } from "./access-log.ts";
export { makeLogger, type Logger } from "./logger.ts";
export { scrub } from "./scrub.ts";
