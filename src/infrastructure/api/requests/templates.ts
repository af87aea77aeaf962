import { z } from "zod";
import { words } from "./fields.ts";

/**
 * `POST /templates` (section 4.2). What overwrites a template replaces all of it, so that nothing but the negative
 * prompt can be left out: least of all that it is for adults.
 */
export const registerTemplateRequest = z.strictObject({
  id: words,
  name: words,
  prompt: words,
  negative_prompt: z.string().optional(),
  category: words,
  is_mature: z.boolean(),
});

/** What `POST /templates` takes. */
export type RegisterTemplateRequest = z.input<typeof registerTemplateRequest>;

/** `POST /h3-r2v-templates` (section 4.2). The contract shows what is required; a template has the rest as well (2.11). */
export const registerH3TemplateRequest = z.strictObject({
  id: words,
  name: words,
  is_mature: z.boolean(),
  release_date: z.iso.date({ error: "YYYY-MM-DD" }),
  prompt: words.optional(),
  category: words.optional(),
});

/** What `POST /h3-r2v-templates` takes. */
export type RegisterH3TemplateRequest = z.input<typeof registerH3TemplateRequest>;
