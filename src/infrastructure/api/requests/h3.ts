import { z } from "zod";
import { H3_BOUNDS, H3_TEMPLATE_SORTS } from "../../../common/contract.ts";
import { files, picture, seed, whole, words } from "./fields.ts";

/**
 * `POST /generate/vendor-h3` (sections 4.7 and 8.2). Style LoRAs follow from the template at the service, so that
 * fields that would name them are unknown here.
 */
export const h3Request = z
  .strictObject({
    /** Found out by the service when omitted; a template then means `r2v`. */
    mode: z.enum(H3_BOUNDS.modes).optional(),
    prompt: words,
    /** Seconds; the most depends on the tier. */
    duration: whole(H3_BOUNDS.duration.min, H3_BOUNDS.duration.max).optional(),
    megapixels: z.number().positive().optional(),
    /** `<w>:<h> (<label>)`. */
    aspect_ratio: z.string().regex(H3_BOUNDS.aspectRatio, { error: "<w>:<h> (<label>)" }).optional(),
    turbo_mode: z.boolean().optional(),
    seed: seed.optional(),
    image_base64: picture.optional(),
    reference_images: files(picture, H3_BOUNDS.references).optional(),
    template_id: words.optional(),
    sub_template_id: words.optional(),
    realism_lora: z.boolean().optional(),
  })
  .refine(({ mode, image_base64 }) => mode !== "i2v" || image_base64, { path: ["image_base64"] })
  // A template with no mode, or with `t2v`, makes it reference-to-video (section 4.7, rule 2).
  .refine(
    ({ mode, template_id, reference_images }) =>
      reference_images ?? !(mode === "r2v" || (template_id !== undefined && mode !== "i2v")),
    { path: ["reference_images"] },
  );

/** What `POST /generate/vendor-h3` takes. */
export type H3Request = z.input<typeof h3Request>;

/** In which order to list H3 templates (section 4.2). */
export const h3TemplatesRequest = z.strictObject({ sort: z.enum(H3_TEMPLATE_SORTS).optional() });

export type H3TemplatesRequest = z.input<typeof h3TemplatesRequest>;
