import type {
  EditTemplate,
  H3Template,
  ImageModel,
  MediaApi,
  VideoTemplate,
} from "../../infrastructure/api/media-api.ts";
import type { CatalogueName, Suggestion } from "../../seam/fields.ts";

/** One thing that can be chosen, with its variants. */
export interface CatalogueEntry {
  readonly suggestion: Suggestion;
  readonly variants: readonly Suggestion[];
}

/** How each catalogue is read. */
export const READ: Readonly<Record<CatalogueName, (api: MediaApi) => Promise<readonly CatalogueEntry[]>>> = {
  "video-templates": async (api) => (await api.templates()).map(videoTemplate),
  "h3-templates": async (api) => (await api.h3Templates({ sort: "most-used" })).map(h3Template),
  "edit-templates": async (api) => (await api.imageEditTemplates()).map(editTemplate),
  "image-models": async (api) => (await api.imageModels()).map(imageModel),
  // Styles are those of the image models that carry one (section 4.6).
  "image-styles": async (api) => (await api.imageModels()).filter(({ hasLora }) => hasLora).map(imageModel),
};

function videoTemplate(template: VideoTemplate): CatalogueEntry {
  const { description, hint, isNew, isFeatured, subTemplates } = template;
  const marks = [...(isNew ? (["new"] as const) : []), ...(isFeatured ? (["featured"] as const) : [])];
  return entry({ ...template, description: description ?? hint, marks }, subTemplates);
}

function h3Template(template: H3Template): CatalogueEntry {
  return entry({ ...template, description: null }, template.subTemplates);
}

function editTemplate(template: EditTemplate): CatalogueEntry {
  return entry({ ...template, ...(template.requiresSecondImage && { pictures: 2 }) });
}

function imageModel(model: ImageModel): CatalogueEntry {
  return entry({ ...model, category: null });
}

/** What entries of every catalogue say of themselves. */
interface Described {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly category: string | null;
  readonly mature?: boolean;
  readonly marks?: Suggestion["marks"];
  readonly pictures?: number;
}

function entry(
  { id, name, description, category, mature = false, marks = [], pictures }: Described,
  variants: readonly { readonly id: string; readonly name: string }[] = [],
): CatalogueEntry {
  return {
    suggestion: {
      value: id,
      title: name,
      ...(description && { description }),
      ...(category && { category }),
      ...(mature && { mature }),
      ...(pictures !== undefined && { pictures }),
      marks,
      variants: variants.length,
    },
    variants: variants.map((variant) => ({ value: variant.id, title: variant.name, marks: [], variants: 0 })),
  };
}
