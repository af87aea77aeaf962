import { uptime } from "node:os";

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
  signal?.addEventListener("abort", leave);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

/** What the time was at a moment by the clock of what is kept, where that is not this machine's. */
let kept: { readonly time: number; readonly at: Instant; readonly uptimeMs: number } | undefined;

/** Two clocks that are apart by no more than this are one, in milliseconds. */
export const APART_MS = 100;

/**
 * The time that is kept, in milliseconds since 1970, by one clock for all who share a database: where a server keeps it, its own. What
 * one machine writes, another one judges by.
 */
export function currentTime(): number {
  if (!kept) return Date.now();
  const running = performance.now() - kept.at.monotonic;
  // Only the machine's uptime, which takes a thousand times as long to be asked for, tells what happened.
  const passed = sleptOrSet(kept.at) ? Math.max(running, uptime() * 1_000 - kept.uptimeMs) : running;
  return Math.floor(kept.time + passed);
}

/** Whether the machine slept since a moment, or its clock was set. */
function sleptOrSet(at: Instant): boolean {
  const now = instant();
  return Math.abs(now.wall - at.wall - (now.monotonic - at.monotonic)) > APART_MS;
}

/**
 * Has this process go by the clock of what is kept, whatever its machine's says.
 * @param time what that clock said, at some moment after `from`
 */
export function keepTo(time: number, from: Instant): void {
  const now = currentTime();
  const isWrong = time > now + APART_MS || time < now - ageOf(from) - APART_MS;
  if (!kept || isWrong || sleptOrSet(kept.at)) kept = { time, at: instant(), uptimeMs: uptime() * 1_000 };
}

/** What {@link steady} said last, and by how much it is ahead of the machine's clock. */
let [told, ahead] = [Number.NEGATIVE_INFINITY, 0];

/**
 * Milliseconds by {@link currentTime}, but it never goes back: where that one is set back, it goes on from what it said last. For
 * what this process alone waits for, or remembers for a while; what is kept is in milliseconds since 1970.
 */
export function steady(): number {
  const now = currentTime();
  ahead = Math.max(ahead, told - now);
  told = now + ahead;
  return told;
}

/** By how many milliseconds the machine's clock was set back since this process began, as far as it looked at it. */
export function setBackBy(): number {
  steady();
  return ahead;
}

/** A time is waited for in so many pieces: standing still takes away one of them at most. */
const PIECES = 8;

/** A timer that is later than this was kept by a process that stood still, in milliseconds: it has not heard yet what came meanwhile. */
const STOOD_STILL_MS = 500;

/**
 * Calls back when this process has waited for so long, in milliseconds. Where it stood still (it was stopped, its container was
 * paused, its machine slept), that does not count: nobody was kept from answering, and what came is heard first.
 * @param keepsAlive whether the process goes on for it
 * @returns what ends the waiting
 */
export function afterAwake(ms: number, then: () => void, keepsAlive = false): () => void {
  const piece = ms / PIECES;
  let left = PIECES;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const began = performance.now();
    timer = setTimeout(() => {
      if (performance.now() - began - piece < STOOD_STILL_MS) left -= 1;
      if (left > 0) wait();
      else then();
    }, piece);
    if (!keepsAlive) timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}

/** As `AbortSignal.timeout`, but it counts as {@link afterAwake} does. */
export function timeoutAwake(ms: number): AbortSignal {
  const timeout = new AbortController();
  afterAwake(ms, () => timeout.abort(tooLong()));
  return timeout.signal;
}

const tooLong = () => new DOMException("It took too long", "TimeoutError");

/**
 * Does something that a signal ends: after a time that counts as {@link afterAwake} does, or with others. Nothing is left of
 * any afterwards, as would be of `AbortSignal.any` and of a timer until it is over.
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<T> {
  for (const signal of signals) signal?.throwIfAborted();
  const end = new AbortController();
  const stop = afterAwake(ms, () => end.abort(tooLong()));
  const leave = ({ target }: Event) => end.abort((target as AbortSignal).reason);
  for (const signal of signals) signal?.addEventListener("abort", leave);
  try {
    return await work(end.signal);
  } finally {
    stop();
    for (const signal of signals) signal?.removeEventListener("abort", leave);
  }
}

/** Waits for something, but no longer than this; see {@link afterAwake}. @returns whether it came to its end */
export async function atMost(ms: number, end: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const stop = afterAwake(ms, () => resolve(false), true);
  try {
    return await Promise.race([end.then(() => true), late]);
  } finally {
    stop();
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

/** Does something again and again until the signal, with pauses where it fails. */
export async function repeat(once: () => Promise<void>, persistence: Persistence): Promise<void> {
  while (!persistence.signal.aborted) await persist(once, persistence).catch(() => undefined);
}

/** Looks again and again until the signal. @param look never rejects @param everyMs the pause after each look */
export async function lookAgain(
  look: () => Promise<void>,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await look();
    await sleep(everyMs, signal).catch(() => undefined);
  }
}

/** One moment on two clocks, in milliseconds. */
export interface Instant {
  /** Never set, and stands still while the machine sleeps. */
  readonly monotonic: number;
  /** Since 1970: goes on while the machine sleeps, and may be set. */
  readonly wall: number;
}

/** This moment. */
export const instant = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });

/** How long ago a moment was, in milliseconds, by whichever clock says more. */
export function ageOf({ monotonic, wall }: Instant): number {
  const now = instant();
  return Math.max(now.monotonic - monotonic, now.wall - wall);
}
