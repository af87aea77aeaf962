import { z } from "zod";
import { VIDEO_AUDIO_BOUNDS, VIDEO_BOUNDS } from "../../../common/contract.ts";
import { picture, seed, whole, words } from "./fields.ts";

/** `POST /generate/video` (sections 4.3 and 8.2). */
export const videoRequest = z
  .strictObject({
    image_base64: picture,
    prompt: words.optional(),
    lora_template: words.optional(),
    sub_template: words.optional(),
    orientation: z.enum(VIDEO_BOUNDS.orientations).optional(),
    /** Seconds. */
    duration: whole(VIDEO_BOUNDS.duration.min, VIDEO_BOUNDS.duration.max).optional(),
    steps: z.literal(VIDEO_BOUNDS.steps.choices).optional(),
    cfg: z.number().optional(),
    seed: seed.optional(),
    negative_prompt: z.string().optional(),
    video_quality: z.enum(VIDEO_BOUNDS.qualities).optional(),
    end_image_base64: picture.optional(),
    result_type: z.enum(VIDEO_BOUNDS.resultTypes).optional(),
    auto_upscale: z.boolean().optional(),
    platform: z.string().optional(),
    in_app_username: z.string().optional(),
  })
  .refine(({ prompt, lora_template }) => prompt ?? lora_template, { path: ["prompt"] })
  .refine(({ end_image_base64, video_quality }) => !end_image_base64 || video_quality === "new", {
    path: ["end_image_base64"],
    error: "video_quality = new",
  });

/** What `POST /generate/video` takes. */
export type VideoRequest = z.input<typeof videoRequest>;

const { min, max, multipleOf } = VIDEO_AUDIO_BOUNDS.side;

/** Pixels. */
const side = whole(min, max).refine((value) => value % multipleOf === 0, {
  error: `a multiple of ${multipleOf}`,
});

/** `POST /generate/video-audio` (sections 4.4 and 8.2). */
export const videoAudioRequest = z.strictObject({
  prompt: words,
  /** Seconds. */
  duration: whole(VIDEO_AUDIO_BOUNDS.duration.min, VIDEO_AUDIO_BOUNDS.duration.max).optional(),
  width: side.optional(),
  height: side.optional(),
  /** With it the mode is I2V, without it T2V. */
  image_base64: picture.optional(),
  template: words.optional(),
  negative_prompt: z.string().optional(),
  /** Frames a second; by default 16 for T2V and 25 for I2V. */
  frame_rate: z.literal(VIDEO_AUDIO_BOUNDS.frameRates.choices).optional(),
});

/** What `POST /generate/video-audio` takes. */
export type VideoAudioRequest = z.input<typeof videoAudioRequest>;
