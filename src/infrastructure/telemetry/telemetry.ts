export { makeLogger, type Logger } from "./logger.ts";
export { scrub } from "./scrub.ts";
