import { z } from "zod";
import { VID3_BOUNDS } from "../../../common/contract.ts";
import { breach } from "./checked.ts";
import { file, files, seed, whole, words } from "./fields.ts";

const { prompt, images, duration, sizes, aspectRatios, audios, platforms, resultTypes } = VID3_BOUNDS;

/**
 * `POST /generate/vid3-ref2v` (sections 4.8 and 8.2). How long sounds are cannot be told from outside: at most 10 s
 * each and 15 s together is for the caller to keep.
 */
export const vid3Request = z.strictObject({
  prompt: words.refine(({ length }) => length <= prompt.max, breach("field_too_long", { max: prompt.max })),
  images: files(file({ types: images.types }), images),
  /** Seconds. */
  duration: whole(duration.min, duration.max).optional(),
  size: z.enum(sizes.choices).optional(),
  aspect_ratio: z.enum(aspectRatios.choices).optional(),
  audio_enable: z.boolean().optional(),
  // An empty list must never be sent.
  audios: files(file({ types: audios.types, maxBytes: audios.maxBytes, typed: true }), {
    min: 1,
    max: audios.max,
  }).optional(),
  prompt_expansion_enable: z.boolean().optional(),
  seed: seed.optional(),
  platform: z.enum(platforms.choices).optional(),
  in_app_username: z.string().optional(),
  result_type: z.enum(resultTypes).optional(),
});

/** What `POST /generate/vid3-ref2v` takes. */
export type Vid3Request = z.input<typeof vid3Request>;
