import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "./errors.ts";

/** How requests that cost nothing are repeated. */
export interface RetryOptions {
  /** Tries altogether. Default 4. */
  readonly attempts?: number;
  /** The first wait in milliseconds; each further one is twice as long. Default 250. */
  readonly firstWaitMs?: number;
  /** How to wait; real time by default. Rejects when the signal fires. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** The longest wait that a service may ask for; beyond it the error is handed on (section 8.1's window). */
const MAX_WAIT_MS = 60_000;

/**
 * Repeats what failed for a reason that passes, with growing, jittered waits, or the wait that the service
 * asked for.
 * @param attempt is told which try it is, from 1
 * @throws what the last try threw
 */
export async function retrying<T>(
  attempt: (number: number) => Promise<T>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const { attempts = 4, firstWaitMs = 250, pause = realPause } = options;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable || number >= attempts) throw error;
      const jitter = Math.random() * firstWaitMs * 2 ** (number - 1);
      const least = error.retryAfterMs ?? firstWaitMs * 2 ** (number - 2);
      if (least > MAX_WAIT_MS) throw error;
      await pause(least + jitter, signal);
    }
  }
}

/**
 * The milliseconds that a `Retry-After` header asks for, in either of its forms: seconds, or an HTTP date.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function realPause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(ms, undefined, signal && { signal });
}
