import { z } from "zod";
import { IMAGE_BOUNDS, IMAGE_EDIT_BOUNDS } from "../../../common/contract.ts";
import { count, picture, seed, whole, words } from "./fields.ts";

/** Pixels. */
const side = whole(1, IMAGE_BOUNDS.side.max);

/** `POST /generate/image` (sections 4.6 and 8.2). */
export const imageRequest = z.strictObject({
  prompt: words,
  model: words.optional(),
  lora_template: words.optional(),
  width: side.optional(),
  height: side.optional(),
  guidance: z.number().optional(),
  seed: seed.optional(),
  num_inference_steps: count.optional(),
});

/** What `POST /generate/image` takes. */
export type ImageRequest = z.input<typeof imageRequest>;

/** `POST /generate/image-edit` (section 4.5). */
export const imageEditRequest = z
  .strictObject({
    image_1_base64: picture,
    prompt: words.optional(),
    image_2_base64: picture.optional(),
    /** For the Ultra tier only. */
    image_3_base64: picture.optional(),
    template_id: words.optional(),
    model: z.enum(IMAGE_EDIT_BOUNDS.models.choices).optional(),
    version: z.enum(IMAGE_EDIT_BOUNDS.versions.choices).optional(),
    /** `quality` costs twice as much. */
    v2_mode: z.enum(IMAGE_EDIT_BOUNDS.modes.choices).optional(),
    /** Pixels. */
    width: count.optional(),
    height: count.optional(),
    guidance: z.number().optional(),
    seed: seed.optional(),
  })
  .refine(({ prompt, template_id }) => prompt ?? template_id, { path: ["prompt"] })
  // The other model does not use it.
  .refine(({ guidance, model }) => guidance === undefined || model === "model_b", {
    path: ["guidance"],
    error: "model = model_b",
  });

/** What `POST /generate/image-edit` takes. */
export type ImageEditRequest = z.input<typeof imageEditRequest>;

/** `POST /generate/image-inpaint` (section 4.12). */
export const inpaintRequest = z.strictObject({
  prompt: words,
  image_base64: picture,
  /** White where the picture is made anew. */
  mask_base64: picture,
  negative_prompt: z.string().optional(),
  steps: count.optional(),
  cfg: z.number().optional(),
  seed: seed.optional(),
});

/** What `POST /generate/image-inpaint` takes. */
export type InpaintRequest = z.input<typeof inpaintRequest>;

/** `POST /encode/image-mask` (section 4.11). */
export const encodeMaskRequest = z.strictObject({ image_base64: picture, mask_base64: picture });

/** What `POST /encode/image-mask` takes. */
export type EncodeMaskRequest = z.input<typeof encodeMaskRequest>;

/** `POST /generate/faceswap` (section 4.10). */
export const faceswapRequest = z.strictObject({
  /** The body. */
  target_base64: picture,
  /** The face. */
  source_base64: picture,
});

/** What `POST /generate/faceswap` takes. */
export type FaceswapRequest = z.input<typeof faceswapRequest>;
