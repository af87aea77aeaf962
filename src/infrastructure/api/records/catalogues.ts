import { z } from "zod";
import { type Fields, isFields } from "../transport/answer.ts";
import { flag, keyed, type Kept, number, objects, text } from "./values.ts";
import { readSubTemplates, type SubTemplate } from "./video-templates.ts";

/** A model of text-to-image (section 2.9). */
export interface ImageModel extends Kept {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string | null;
  readonly hasLora: boolean;
}

/** A prepared image edit (section 2.10). */
export interface EditTemplate extends Kept {
  readonly id: string;
  readonly name: string;
  readonly category: string | null;
  readonly description: string | null;
  readonly requiresSecondImage: boolean;
  readonly usageCount: number | null;
}

/** A prepared look for H3 reference-to-video (section 2.11). */
export interface H3Template extends Kept {
  readonly id: string;
  readonly name: string;
  readonly category: string | null;
  readonly prompt: string | null;
  readonly usageCount: number | null;
  readonly mature: boolean;
  /** `YYYY-MM-DD`; only of those that were registered. */
  readonly releaseDate: string | null;
  /** What `sub_template_id` may name; the contract does not show where they stand. */
  readonly subTemplates: readonly SubTemplate[];
}

/** The video templates as the service keeps them, for boss accounts (section 4.2). */
export interface RawTemplates extends Kept {
  /** By id. */
  readonly templates: Readonly<Record<string, Fields>>;
  readonly categories: Fields;
}

/** A template that was created or overwritten (section 4.2). */
export interface RegisteredTemplate extends Kept {
  readonly id: string;
  /** The service's own words. */
  readonly message: string | null;
}

const entry = z.looseObject({
  id: text,
  name: text,
  category: text,
  description: text,
  prompt: text,
  type: text,
  has_lora: flag,
  requires_second_image: flag,
  usage_count: number,
  is_mature: flag,
  release_date: text,
  sub_templates: objects,
});

export function readImageModels(raw: Fields): readonly ImageModel[] {
  return keyed(raw["models"]).map(([id, model]) => {
    const { name, description, type, has_lora } = entry.parse(model);
    return { id, name: name ?? id, description, type, hasLora: has_lora, raw: model };
  });
}

export function readEditTemplates(raw: Fields): readonly EditTemplate[] {
  return keyed(raw["templates"]).map(([id, template]) => {
    const { name, category, description, requires_second_image, usage_count } = entry.parse(template);
    return {
      id,
      name: name ?? id,
      category,
      description,
      requiresSecondImage: requires_second_image,
      usageCount: usage_count,
      raw: template,
    };
  });
}

export function readH3Templates(raw: Fields): readonly H3Template[] {
  return keyed(raw["templates"]).map(([id, template]) => h3Template(id, template));
}

/** Undefined where the answer holds no template. */
export function readH3Template(raw: Fields, id: string): H3Template | undefined {
  return isFields(raw["template"]) ? h3Template(id, raw["template"]) : undefined;
}

function h3Template(id: string, raw: Fields): H3Template {
  const { name, category, prompt, usage_count, is_mature, release_date, sub_templates } = entry.parse(raw);
  return {
    id,
    name: name ?? id,
    category,
    prompt,
    usageCount: usage_count,
    mature: is_mature,
    releaseDate: release_date,
    subTemplates: readSubTemplates(sub_templates),
    raw,
  };
}

export function readRawTemplates(raw: Fields): RawTemplates {
  return {
    templates: Object.fromEntries(keyed(raw["templates"])),
    categories: isFields(raw["categories"]) ? raw["categories"] : {},
    raw,
  };
}

const registered = z.looseObject({ success: z.boolean().catch(true), message: text });

/**
 * Undefined where the answer says that nothing was registered.
 * @param id what was asked for: one of the two answers is not shown
 */
export function readRegistered(raw: Fields, id: string): RegisteredTemplate | undefined {
  const { success, message } = registered.parse(raw);
  return success ? { id, message, raw } : undefined;
}
