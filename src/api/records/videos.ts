import { z } from "zod";
import type { Fields } from "../answer.ts";
import { flag, type Kept, number, objects, text } from "./values.ts";

/** A prepared look for videos (section 2.8). */
export interface VideoTemplate extends Kept {
  readonly id: string;
  readonly name: string;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly mature: boolean;
  readonly usageCount: number | null;
  /** `YYYY-MM-DD`. */
  readonly releaseDate: string | null;
  readonly isNew: boolean;
  readonly isFeatured: boolean;
  readonly prompt: string | null;
  readonly negativePrompt: string | null;
  readonly description: string | null;
  readonly hint: string | null;
  readonly subTemplates: readonly SubTemplate[];
}

/** A variant of a template. */
interface SubTemplate {
  readonly id: string;
  readonly name: string;
  readonly prompt: string | null;
  readonly negativePrompt: string | null;
}

/** The choices of an earlier video job (section 2.7), under the names that a request gives them again. */
export interface JobSettings extends Kept {
  /** The custom one; where a template was used, there is none. */
  readonly prompt: string | null;
  readonly lora_template: string | null;
  readonly sub_template: string | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly auto_upscale: boolean;
}

const template = z.looseObject({
  id: text,
  name: text,
  category: text,
  subcategory: text,
  is_mature: flag,
  usage_count: number,
  release_date: text,
  is_new: flag,
  is_featured: flag,
  prompt: text,
  negative_prompt: text,
  description: text,
  hint: text,
  sub_templates: objects,
});

const settings = z.looseObject({
  prompt: text,
  lora_template: text,
  sub_template: text,
  duration: number,
  auto_upscale: flag,
});

export function readTemplates(raw: Fields): readonly VideoTemplate[] {
  const keyed = z
    .record(z.string(), z.looseObject({}).optional().catch(undefined))
    .catch({})
    .parse(raw["templates"]);
  return Object.entries(keyed).flatMap(([id, entry]) => (entry ? [readTemplate(id, entry)] : []));
}

export function readSettings(answer: Fields): JobSettings {
  const raw = z.looseObject({}).catch({}).parse(answer["settings"]);
  const { prompt, lora_template, sub_template, duration, auto_upscale } = settings.parse(raw);
  return { prompt, lora_template, sub_template, duration, auto_upscale, raw };
}

/** The key under which a template stands is its id (section 2.8). */
function readTemplate(id: string, raw: Fields): VideoTemplate {
  const read = template.parse(raw);
  return {
    id,
    name: read.name ?? id,
    category: read.category,
    subcategory: read.subcategory,
    mature: read.is_mature,
    usageCount: read.usage_count,
    releaseDate: read.release_date,
    isNew: read.is_new,
    isFeatured: read.is_featured,
    prompt: read.prompt,
    negativePrompt: read.negative_prompt,
    description: read.description,
    hint: read.hint,
    subTemplates: read.sub_templates.flatMap(readSubTemplate),
    raw,
  };
}

function readSubTemplate(raw: Fields): readonly SubTemplate[] {
  const { id, name, prompt, negative_prompt } = template.parse(raw);
  return id ? [{ id, name: name ?? id, prompt, negativePrompt: negative_prompt }] : [];
}
