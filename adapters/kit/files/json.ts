import type { z } from "zod";

/** What a text says as JSON; undefined for what is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What fits a schema; what does not is left out. */
export const fitting = <T>(schema: z.ZodType<T>, all: readonly unknown[]): readonly T[] =>
  all.flatMap((one) => schema.safeParse(one).data ?? []);
