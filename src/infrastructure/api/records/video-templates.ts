import { z } from "zod";
import type { Fields } from "../transport/answer.ts";
import { flag, keyed, type Kept, number, objects, text } from "./values.ts";

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
export interface SubTemplate {
  readonly id: string;
  readonly name: string;
  readonly prompt: string | null;
  readonly negativePrompt: string | null;
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

export function readVideoTemplates(raw: Fields): readonly VideoTemplate[] {
  return keyed(raw["templates"]).map(([id, entry]) => readTemplate(id, entry));
}

/** Variants that name no id are left out. */
export function readSubTemplates(list: readonly Fields[]): readonly SubTemplate[] {
  return list.flatMap(readSubTemplate);
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
    subTemplates: readSubTemplates(read.sub_templates),
    raw,
  };
}

function readSubTemplate(raw: Fields): readonly SubTemplate[] {
  const { id, name, prompt, negative_prompt } = template.parse(raw);
  return id ? [{ id, name: name ?? id, prompt, negativePrompt: negative_prompt }] : [];
}
