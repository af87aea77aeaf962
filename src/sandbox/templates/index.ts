import { releaseDate } from "./dates.ts";
import { AFTER_DARK } from "./after-dark.ts";
import { CAMERA } from "./camera.ts";
import { CINEMA } from "./cinema.ts";
import { LIGHT } from "./light.ts";
import { NATURE } from "./nature.ts";
import { PARTY } from "./party.ts";
import { PORTRAIT } from "./portrait.ts";
import { RETRO } from "./retro.ts";
import type { CategoryEntry, VideoTemplate } from "./template.ts";
import { WEATHER } from "./weather.ts";

const NEW_FOR_DAYS = 30;
const NEGATIVE_PROMPT = "blurry, distorted, extra limbs, watermark";
const HINT = "Any sharp photo works.";

const CATEGORIES: readonly (readonly [name: string, entries: readonly CategoryEntry[]])[] = [
  ["Camera", CAMERA],
  ["Light", LIGHT],
  ["Weather", WEATHER],
  ["Party", PARTY],
  ["Retro", RETRO],
  ["Cinema", CINEMA],
  ["Nature", NATURE],
  ["Portrait", PORTRAIT],
  ["After dark", AFTER_DARK],
];

/** The video templates that every sandbox has. */
export const TEMPLATES: readonly VideoTemplate[] = CATEGORIES.flatMap(([category, entries]) =>
  entries.map((entry) => ({ ...entry, category })),
);

/** A template as the catalogue shows it (section 2.8). */
export function publicTemplate(template: VideoTemplate, used: number) {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    subcategory: template.subcategory ?? null,
    is_mature: template.mature ?? false,
    usage_count: template.uses + used,
    release_date: releaseDate(template.age),
    is_new: template.age <= NEW_FOR_DAYS,
    is_featured: template.featured ?? false,
    prompt: template.prompt,
    negative_prompt: template.negative ?? NEGATIVE_PROMPT,
    description: template.description,
    hint: template.hint ?? HINT,
    sub_templates: (template.variants ?? []).map(({ id, name, prompt }) => ({
      id,
      name,
      prompt,
      negative_prompt: NEGATIVE_PROMPT,
    })),
  };
}

/** A template as it is stored, which only boss accounts may see (`full=1`, section 4.2). */
export function rawTemplate(template: VideoTemplate, used: number) {
  return {
    ...publicTemplate(template, used),
    requires_subscription: template.premium ?? false,
    look: template.look,
  };
}
