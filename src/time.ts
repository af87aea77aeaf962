/**
 * Waits. Made on `setTimeout` rather than `node:timers/promises`, which tests cannot speed up.
 * @param ms at most 2^31 - 1; what is past already is no wait
 * @throws the signal's reason, as soon as it aborts
 */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => reject(signal?.reason);
  const timer = setTimeout(resolve, Math.max(ms, 0));
  signal?.addEventListener("abort", leave, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

/** Waits for something, but no longer than this, in milliseconds. @returns whether it came to its end */
export async function atMost(ms: number, end: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([end.then(() => true), sleep(ms, timer.signal).then(() => false)]);
  } finally {
    timer.abort();
  }
}

/** The first pause after a failure; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 500, longest: 30_000 } as const;

/** How something is tried again and again. */
interface Persistence {
  readonly signal: AbortSignal;
  /** Hears of each failure and the pause after it; what it throws ends the trying. */
  readonly onFailure: (error: unknown, pauseMs: number) => void;
  /** How long the other side wants to be left alone, in milliseconds, where it says so. */
  readonly pauseOf?: (error: unknown) => number | undefined;
}

/**
 * Tries until it succeeds, with pauses.
 * @throws the signal's reason
 */
export async function persist<T>(
  attempt: () => Promise<T>,
  { signal, onFailure, pauseOf = () => undefined }: Persistence,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const pauseMs = pauseOf(error) ?? Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest);
      onFailure(error, pauseMs);
      await sleep(pauseMs, signal);
    }
  }
}
