import { z } from "zod";
import { IMAGE_EDIT_BOUNDS } from "../../common/contract.ts";
import { chosen, pictures, seed, words } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { byType } from "./recognition.ts";

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

/** Image edit: one to three pictures blended or edited (section 4.5). */
export const imageEdit: Operation = {
  ...byType("image_edit"),
  id: "image-edit",
  label: "operation.image-edit",
  description: "operation.image-edit.description",
  result: "image",
  schema,
  group: "image",
  instead: "imgpro-edit",

  forbidden(values) {
    const { images, template } = schema.parse(values);
    if (images.length > 2) return "ultra_required";
    return template === undefined ? undefined : "premium_template";
  },

  // The contract gives no formula, only that the careful mode costs twice the fast one's price.
  price: () => null,

  size(values) {
    const { images, model, v2_mode, width = "", height = "" } = schema.parse(values);
    return `${images.length} pictures, ${model}, ${v2_mode}, ${width}x${height}`;
  },

  submit(api, { values, images }) {
    const { images: _images, template, ...fields } = schema.parse(values);
    const [first, second, third] = images["images"] ?? [];
    if (!first) throw new Error("The picture was not prepared.");
    return api.generateImageEdit({
      ...fields,
      image_1_base64: first,
      ...(second && { image_2_base64: second }),
      ...(third && { image_3_base64: third }),
      ...(template !== undefined && { template_id: template }),
    });
  },

  read: (api, serviceId) => api.job(serviceId),

  remove: (api, serviceId) => api.deleteImageEditJob(serviceId),
};
