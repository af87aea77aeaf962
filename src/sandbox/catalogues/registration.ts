import { z } from "zod";
import { lookForPrompt } from "../render/drawing/looks.ts";
import type { VideoTemplate } from "../templates/template.ts";
import { ageOf } from "../templates/dates.ts";
import type { H3Template } from "./h3-templates.ts";

const CATEGORY = "Registered";

const text = z.string({ error: "must be a string" }).trim().min(1, { error: "must not be empty" });
const id = z.string({ error: "is required" }).regex(/^[\w-]{1,64}$/, {
  error: "must be 1 to 64 letters, digits, - or _",
});
const flag = z.boolean({ error: "must be true or false" });

/** The body of `POST /templates` (section 4.2). */
export const templateFields = z.strictObject({
  id,
  name: text,
  prompt: text,
  negative_prompt: z.string({ error: "must be a string" }).optional(),
  category: text.default(CATEGORY),
  is_mature: flag.default(false),
});

/** The body of `POST /h3-r2v-templates` (section 4.2). */
export const h3TemplateFields = z.strictObject({
  id,
  name: text,
  is_mature: flag,
  release_date: z.iso.date({ error: "must be a date, YYYY-MM-DD" }),
  category: text.default(CATEGORY),
  prompt: text.optional(),
});

/**
 * A video template out of a registration.
 * @param at when it was registered, in milliseconds since 1970
 */
export function registeredTemplate(fields: z.infer<typeof templateFields>, at: number): VideoTemplate {
  const { id, name, prompt, negative_prompt, category, is_mature } = fields;
  return {
    id,
    name,
    category,
    prompt,
    ...(negative_prompt !== undefined && { negative: negative_prompt }),
    description: name,
    mature: is_mature,
    age: ageOf(at),
    uses: 0,
    look: lookForPrompt(prompt),
  };
}

/** An H3 template out of a registration. */
export function registeredH3Template(fields: z.infer<typeof h3TemplateFields>): H3Template {
  const { id, name, is_mature, release_date, category, prompt = name } = fields;
  return {
    id,
    name,
    category,
    prompt,
    registered: true,
    mature: is_mature,
    age: ageOf(Date.parse(release_date)),
    uses: 0,
    look: lookForPrompt(prompt),
  };
}
