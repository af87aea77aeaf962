import { sleep } from "../../src/time.ts";
import { retryAfterOf } from "./errors.ts";

/** The first pause after a failure; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 500, longest: 30_000 } as const;

/**
 * Tries until it succeeds, with pauses: Telegram's own, where it says how long.
 * @param onFailure hears of each failure and the pause after it; what it throws ends the trying
 * @throws the signal's reason
 */
export async function persist<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  onFailure: (error: unknown, pauseMs: number) => void,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const usualMs = Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest);
      const pauseMs = retryAfterOf(error) ?? usualMs;
      onFailure(error, pauseMs);
      await sleep(pauseMs, signal);
    }
  }
}
