import { vi } from "vitest";

/** Long enough for the busiest machine, in milliseconds: vitest itself waits for one second. */
const PATIENCE_MS = 120_000;

/** Looks again and again until nothing is thrown; no verdict depends on how fast the machine is. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: PATIENCE_MS });
