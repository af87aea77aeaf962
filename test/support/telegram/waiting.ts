import { once, type EventEmitter } from "node:events";
import { PATIENCE_MS } from "../patience.ts";

/**
 * Waits until something is there: looks again at each event, never in between.
 * @param look returns nothing until what is waited for is there
 * @param missing tells in the error what was there instead
 * @throws Error after `within` real milliseconds
 */
export async function until<T>(
  changes: EventEmitter,
  event: string,
  look: () => T | undefined,
  missing: () => string,
  within = PATIENCE_MS,
): Promise<T> {
  const signal = AbortSignal.timeout(within);
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await once(changes, event, { signal }).catch(() => {
      throw new Error(`${missing()}\n(waited ${within} ms)`);
    });
  }
}
