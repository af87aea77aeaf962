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

/** The day that ages count back from: a fixed one, so that the catalogue is the same every day. */
const CATALOGUE_DATE = Date.UTC(2026, 5, 1);
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

/** Categories that the primary host's catalogue leaves out (section 1, rule 5). */
const EXCLUDED_CATEGORIES: ReadonlySet<string> = new Set(["After dark"]);

/** Every template, of both hosts. */
const TEMPLATES: readonly VideoTemplate[] = CATEGORIES.flatMap(([category, entries]) =>
  entries.map((entry) => ({ ...entry, category })),
);

/** A template by its id, whether or not a host's catalogue shows it. */
export function findTemplate(id: string): VideoTemplate | undefined {
  return TEMPLATES.find((template) => template.id === id);
}

/** The templates that a host shows: the primary one leaves out mature ones and excluded categories. */
export function catalogue(full: boolean): readonly VideoTemplate[] {
  return full
    ? TEMPLATES
    : TEMPLATES.filter(({ mature, category }) => !mature && !EXCLUDED_CATEGORIES.has(category));
}

/** A template as the catalogue shows it (section 2.8). */
export function publicTemplate(template: VideoTemplate, used: number) {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    subcategory: template.subcategory ?? null,
    is_mature: template.mature ?? false,
    usage_count: template.uses + used,
    release_date: new Date(CATALOGUE_DATE - template.age * 86_400_000).toISOString().slice(0, 10),
    is_new: template.age <= NEW_FOR_DAYS,
    is_featured: template.featured ?? false,
    prompt: template.prompt,
    negative_prompt: NEGATIVE_PROMPT,
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
