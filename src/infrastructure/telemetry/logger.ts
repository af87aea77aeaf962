import {
  destination as fileDestination,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from "pino";
import type { Config } from "../../app/config.ts";
import { scrub } from "./scrub.ts";

export type { Logger };

/** How a logger is made. */
interface LoggerOptions {
  readonly level: Config["logLevel"];
  /** Unset: standard error, as standard output belongs to what a command prints. */
  readonly destination?: DestinationStream;
}

/**
 * Makes a logger: JSON, a line each. Whole lines are scrubbed, after everything in them has become text:
 * pino's own redaction knows paths only, and misses what stands in messages, URLs, stacks and causes.
 */
export function makeLogger({
  level,
  // Written at once: the last line before a crash is the one that is needed.
  destination = fileDestination({ fd: 2, sync: true }),
}: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => scrub.text(line) },
    },
    destination,
  );
}
