import { z } from "zod";
import { IMGPRO_BOUNDS } from "../../../common/contract.ts";
import { file, files, words } from "./fields.ts";

const { images, size: sizeFormat, formats } = IMGPRO_BOUNDS;

const given = files(file({ maxBytes: images.maxBytes }), images);

/** The values themselves are not shown. */
const size = z.string().regex(sizeFormat, { error: "<w>x<h>" });

/** `POST /generate/imgpro-i2i` (sections 4.9 and 8.2). */
export const imgproEditRequest = z
  .strictObject({
    prompt: words.optional(),
    images: given,
    size,
    output_format: z.enum(formats.choices).optional(),
    /** An image-edit template, which may have a prompt. */
    template_id: words.optional(),
  })
  .refine(({ prompt, template_id }) => prompt ?? template_id, { path: ["prompt"] });

/** What `POST /generate/imgpro-i2i` takes. */
export type ImgproEditRequest = z.input<typeof imgproEditRequest>;

/** `POST /generate/imgpro-ref2i` (sections 4.9 and 8.2). Sizes are 2K only. */
export const imgproReferenceRequest = z.strictObject({ prompt: words, images: given, size: size.optional() });

/** What `POST /generate/imgpro-ref2i` takes. */
export type ImgproReferenceRequest = z.input<typeof imgproReferenceRequest>;
