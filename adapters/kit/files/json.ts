import type { z } from "zod";

/** What a text says as JSON; undefined for what is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Hears where something does not fit: names of its parts, and nothing that is in them. */
export type HearsUnfit = (parts: readonly string[]) => void;

/**
 * What fits a schema; what does not is left out.
 * @param onUnfit hears of each that does not
 */
export const fitting = <T>(
  schema: z.ZodType<T>,
  all: readonly unknown[],
  onUnfit: HearsUnfit = () => {},
): readonly T[] =>
  all.flatMap((one) => {
    const { data, error } = schema.safeParse(one);
    if (error) onUnfit(error.issues.map(({ path }) => path.join(".")));
    return data === undefined ? [] : [data];
  });
