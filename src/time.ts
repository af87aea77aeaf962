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
