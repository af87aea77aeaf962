import { z } from "zod";
import { GENERATE } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { mask, picture, seed, words } from "./fields.ts";
import { imageOf } from "./order.ts";

const schema = z.strictObject({
  image: picture(),
  mask: mask("image"),
  prompt: words().meta({ called: "inpaint_prompt" }),
  negative_prompt: words().optional().meta({ advanced: true }),
  // The contract names these two without bounds.
  steps: z.int().min(1).optional().meta({ advanced: true }),
  cfg: z.number().positive().optional().meta({ advanced: true }),
  seed: seed(),
});

/** Image inpaint: what is marked is made anew (section 4.12). Its jobs are of the type of image edits. */
export const inpaint = described({
  id: "inpaint",
  type: "image_edit",
  result: "image",
  schema,
  endpoint: GENERATE.inpaint,
  instead: "image-edit",
  size: ({ steps = "default" }) => `${steps} steps`,

  /** Both pictures go through the service's own encoder first, which costs nothing (section 4.11). */
  async submit(api, order) {
    const { image: _image, mask: _mask, ...fields } = schema.parse(order.values);
    const { imageBase64, maskBase64 } = await api.encodeMask({
      image_base64: imageOf(order, "image"),
      mask_base64: imageOf(order, "mask"),
    });
    return api.generateInpaint({ ...fields, image_base64: imageBase64, mask_base64: maskBase64 });
  },
});
