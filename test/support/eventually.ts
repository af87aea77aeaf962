import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

/** Looks again and again until nothing is thrown; no verdict depends on how fast the machine is. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: PATIENCE_MS });
