import { z } from "zod";

/** A list that comes as a whole. */
export function listSchema<T extends z.ZodType>(item: T) {
  return z.object({ object: z.literal("list"), data: z.array(item) });
}

/** A list that comes in pages. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return listSchema(item).extend({
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "The `cursor` of the next page; null after the last." }),
  });
}

/**
 * The first page of what was found, and the cursor of the next one.
 * @param found from the page's beginning on, at least one more than fits on it where there are more
 */
export function firstPage<T extends { readonly id: string }>(
  found: readonly T[],
  limit: number,
): { readonly page: readonly T[]; readonly next: string | null } {
  const page = found.slice(0, limit);
  return { page, next: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}
