import { z } from "zod";

/** What fills a sentence, or is said instead of it. */
export const params = z.record(z.string(), z.union([z.string(), z.number()]));

/** A sentence as data: which one, and what fills it. What people read of it goes to terminals alone. */
export const sentence = { key: z.string(), params } as const;

/** Milliseconds since 1970. */
export const time = z.number();

/** Tokens. */
export const tokens = z.number();

/** What can be done next, each with `reelay press TOKEN`. */
export const actions = z.array(z.string());

/** One line of JSON. */
export const line = <N extends string, S extends z.ZodRawShape>(name: N, description: string, shape: S) =>
  z.object({ version: z.literal(1), event: z.literal(name), ...shape }).meta({ description });
