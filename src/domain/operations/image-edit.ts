import { z } from "zod";
import { IMAGE_EDIT_BOUNDS } from "../../common/contract.ts";
import { GENERATE } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { chosen, pictures, seed, words } from "./fields.ts";

const { models, modes } = IMAGE_EDIT_BOUNDS;

const length = () => z.int().min(1).optional().meta({ advanced: true });

const schema = z
  .strictObject({
    /** The first is the one that is edited; a third needs the Ultra tier. */
    images: pictures(1, 3),
    prompt: words().optional().meta({ unless: "template", called: "edit_prompt" }),
    template: chosen("edit-templates").optional(),
    v2_mode: z.enum(modes.choices).default(modes.default),
    model: z.enum(models.choices).default(models.default).meta({ advanced: true }),
    guidance: z
      .number()
      .positive()
      .optional()
      .meta({ advanced: true, when: { field: "model", is: "model_b" } }),
    width: length(),
    height: length(),
    seed: seed(),
  })
  .refine((values) => values.prompt ?? values.template, { path: ["prompt"] })
  .refine((values) => values.guidance === undefined || values.model === "model_b", {
    path: ["model"],
    error: "model_b",
  });

/**
 * Image edit: one to three pictures blended or edited (section 4.5). The contract gives no formula, only that the careful
 * mode costs twice the fast one's price.
 */
export const imageEdit = described({
  id: "image-edit",
  type: "image_edit",
  result: "image",
  schema,
  endpoint: GENERATE.imageEdit,
  sentAs: { images: ["image_1_base64", "image_2_base64", "image_3_base64"], template: "template_id" },
  instead: "imgpro-edit",

  forbidden({ images, template }) {
    if (images.length > 2) return "ultra_required";
    return template === undefined ? undefined : "premium_template";
  },

  size: ({ images, model, v2_mode, width = "", height = "" }) =>
    `${images.length} pictures, ${model}, ${v2_mode}, ${width}x${height}`,
});
