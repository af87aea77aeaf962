import { currentTime, timeoutAwake } from "../../../common/time.ts";

/** The one end of everything that belongs together. */
export interface Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Aborted then, or earlier by whoever asked. */
  readonly signal: AbortSignal;
}

/** A deadline in so many milliseconds. */
export function deadlineIn(ms: number, signal?: AbortSignal): Deadline {
  const timeout = timeoutAwake(ms);
  return { at: currentTime() + ms, signal: signal ? AbortSignal.any([timeout, signal]) : timeout };
}

/**
 * What some work comes to. Work that does not heed the deadline is left to itself.
 * @throws the signal's reason, as soon as it aborts
 */
export async function within<T>({ signal }: Deadline, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
