import { z } from "zod";

/** A text of 1 to `most` characters. */
export const text = (most: number) =>
  z
    .string()
    .min(1, `Must be between 1 and ${most} in length.`)
    .max(most, `Must be between 1 and ${most} in length.`);

/** A list of at most so many. */
export const list = <T extends z.ZodType>(item: T, most: number) =>
  z.array(item).max(most, `Must be ${most} or fewer in length.`);

/** What a rule for more than one field finds: where, Discord's code, its sentence. */
export function complain(
  context: z.core.$RefinementCtx,
  path: PropertyKey[],
  code: string,
  message: string,
): void {
  context.addIssue({ code: "custom", path, message, params: { code } });
}

/** Complains about each text that came before in the same list. */
export function complainOfTwins(
  context: z.core.$RefinementCtx,
  texts: readonly { readonly text: string; readonly path: PropertyKey[] }[],
  code: string,
  message: string,
): void {
  const known = new Set<string>();
  for (const { text, path } of texts) {
    if (known.has(text)) complain(context, path, code, message);
    known.add(text);
  }
}

/** Passes on what other rules found in a part. */
export function adopt(
  context: z.core.$RefinementCtx,
  { error }: z.ZodSafeParseResult<unknown>,
  place: PropertyKey,
): void {
  for (const issue of error?.issues ?? []) {
    context.issues.push({ ...issue, path: [place, ...issue.path] } as z.core.$ZodRawIssue);
  }
}
