import {
  destination as fileDestination,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from "pino";
import { isTestMode } from "../../common/test-mode.ts";
import type { RecentLines } from "./recent-lines.ts";
import { scrub } from "./scrub.ts";

export type { Logger };

/** How much is logged, from nothing to everything. */
export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

/** How a logger is made. */
interface LoggerOptions {
  readonly level: (typeof LOG_LEVELS)[number];
  /** Unset: standard error, as standard output belongs to what a command prints. */
  readonly destination?: DestinationStream;
  /** What keeps each line as well. */
  readonly also?: Pick<RecentLines, "add">;
}

/**
 * Makes a logger: JSON, a line each. Whole lines are scrubbed, after everything in them has become text:
 * pino's own redaction knows paths only, and misses what stands in messages, URLs, stacks and causes.
 */
export function makeLogger({
  level,
  // Written at once: the last line before a crash is the one that is needed.
  destination = fileDestination({ fd: 2, sync: true }),
  also,
}: LoggerOptions): Logger {
  return pino(
    {
      level,
      // Its lines stand among the others'.
      base: isTestMode() ? { mode: "test" } : null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          const clean = scrub.text(line);
          also?.add(clean);
          return clean;
        },
      },
    },
    destination,
  );
}
