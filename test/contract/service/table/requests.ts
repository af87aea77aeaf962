import type { Fields } from "./shape.ts";

/*
 * Request fields, typed by hand from section 4 of the service's documentation.
 */

/** Section 4.3. */
export const VIDEO = {
  image_base64: { type: "image", required: true },
  prompt: { type: "string", required: { unless: "lora_template" } },
  lora_template: { type: "string" },
  sub_template: { type: "string", beside: { lora_template: true } },
  orientation: { type: "string", choices: ["portrait", "landscape", "square"], default: "portrait" },
  duration: { type: "int", min: 3, max: 8, default: 6 },
  steps: { type: "int", choices: [4, 6, 8], default: 4 },
  cfg: { type: "float", default: 1.0 },
  seed: { type: "int", min: -1 },
  negative_prompt: { type: "string" },
  video_quality: { type: "string", choices: ["legacy", "new"] },
  end_image_base64: { type: "image", beside: { video_quality: "new" }, only: true },
  result_type: { type: "string", choices: ["url", "base64"], default: "url" },
  auto_upscale: { type: "bool" },
  platform: { type: "string" },
  in_app_username: { type: "string" },
} as const satisfies Fields;

/** Section 4.4. */
export const VIDEO_AUDIO = {
  prompt: { type: "string", required: true },
  duration: { type: "int", min: 5, max: 20, default: 5 },
  width: { type: "int", min: 64, max: 1240, multipleOf: 8 },
  height: { type: "int", min: 64, max: 1240, multipleOf: 8 },
  image_base64: { type: "image" },
  template: { type: "string" },
  negative_prompt: { type: "string" },
  frame_rate: { type: "int", choices: [16, 25], default: { by: "mode: 16 for T2V, 25 for I2V" } },
} as const satisfies Fields;

/** Section 4.5. */
export const IMAGE_EDIT = {
  image_1_base64: { type: "image", required: true },
  prompt: { type: "string", required: { unless: "template_id" } },
  image_2_base64: { type: "image" },
  image_3_base64: { type: "image" },
  template_id: { type: "string" },
  model: { type: "string", choices: ["model_a", "model_b"], default: "model_a" },
  version: { type: "string", choices: ["v2"], default: "v2" },
  v2_mode: { type: "string", choices: ["fast", "quality"], default: "fast" },
  width: { type: "int" },
  height: { type: "int" },
  guidance: { type: "float", beside: { model: "model_b" } },
  seed: { type: "int" },
} as const satisfies Fields;

/** Section 4.6. */
export const IMAGE = {
  prompt: { type: "string", required: true },
  model: { type: "string", default: "Default" },
  lora_template: { type: "string" },
  width: { type: "int", max: 2048, default: 1024 },
  height: { type: "int", max: 2048, default: 1024 },
  guidance: { type: "float", default: 7.5 },
  seed: { type: "int", min: -1 },
  num_inference_steps: { type: "int", default: 4 },
} as const satisfies Fields;

/** Section 4.7. */
export const H3 = {
  mode: { type: "string", choices: ["t2v", "i2v", "r2v"], default: { by: "the other fields" } },
  prompt: { type: "string", required: true },
  duration: { type: "int", min: 5, max: 20 },
  megapixels: { type: "float" },
  aspect_ratio: { type: "string", pattern: /^\d+:\d+ \(.+\)$/ },
  turbo_mode: { type: "bool", default: true },
  seed: { type: "int", min: -1 },
  image_base64: { type: "image", required: { when: ["mode", "i2v"] } },
  reference_images: { type: "images", count: { min: 1, max: 4 }, required: { when: ["mode", "r2v"] } },
  template_id: { type: "string", beside: { mode: "r2v" } },
  sub_template_id: { type: "string", beside: { mode: "r2v", template_id: true } },
  realism_lora: { type: "bool", beside: { mode: "r2v" } },
} as const satisfies Fields;

/** Never to be sent (section 4.7, rule 3). */
export const H3_FORBIDDEN = ["loras", "lora_name", "style_lora", "lora_pairs"] as const;

/** Section 4.8. */
export const VID3 = {
  prompt: { type: "string", required: true, max: 20_000, about: true },
  images: {
    type: "images",
    required: true,
    count: { min: 1, max: 5 },
    each: { types: ["image/jpeg", "image/png"] },
  },
  duration: { type: "int", min: 2, max: 30, default: 5 },
  size: { type: "string", choices: ["480p", "720p", "1080p"], default: "720p" },
  aspect_ratio: { type: "string", choices: ["16:9", "9:16", "1:1", "4:3", "3:4"], default: "16:9" },
  audio_enable: { type: "bool", default: false },
  audios: {
    type: "audios",
    // An empty list must never be sent.
    count: { min: 1, max: 3 },
    each: {
      maxMb: 8,
      maxSeconds: 10,
      types: ["audio/mpeg", "audio/wav", "audio/mp4", "audio/aac", "audio/ogg"],
    },
    maxSecondsTogether: 15,
  },
  prompt_expansion_enable: { type: "bool", default: false },
  seed: { type: "int", min: -1 },
  platform: { type: "string", choices: ["api", "web", "telegram", "kn"], default: "api" },
  in_app_username: { type: "string" },
  result_type: { type: "string", choices: ["url", "base64"] },
} as const satisfies Fields;

const IMGPRO_IMAGES = {
  type: "images",
  required: true,
  count: { min: 1, max: 5 },
  each: { maxMb: 4 },
} as const;

/** Section 4.9. */
export const IMGPRO_I2I = {
  prompt: { type: "string", required: { unless: "template_id" } },
  images: IMGPRO_IMAGES,
  size: { type: "string", required: true, pattern: /^\d+x\d+$/ },
  output_format: { type: "string", choices: ["jpg", "png"], default: "jpg" },
  template_id: { type: "string" },
} as const satisfies Fields;

/** Section 4.9: without `output_format`, and `template_id` is "i2i" only. */
export const IMGPRO_REF2I = {
  prompt: { type: "string", required: true },
  images: IMGPRO_IMAGES,
  size: { type: "string", pattern: /^\d+x\d+$/ },
} as const satisfies Fields;

/** Section 4.10. */
export const FACESWAP = {
  target_base64: { type: "image", required: true, alias: "body_base64" },
  source_base64: { type: "image", required: true, alias: "face_base64" },
} as const satisfies Fields;

/** Section 4.11. */
export const ENCODE_MASK = {
  image_base64: { type: "image", required: true },
  mask_base64: { type: "image", required: true },
} as const satisfies Fields;

/** Section 4.12; the bounds of the sampler's parameters are not shown. */
export const INPAINT = {
  prompt: { type: "string", required: true },
  image_base64: { type: "image", required: true, alias: "image_1_base64" },
  mask_base64: { type: "image", required: true },
  negative_prompt: { type: "string" },
  steps: { type: "int" },
  cfg: { type: "float" },
  seed: { type: "int" },
} as const satisfies Fields;

/** Section 4.2; which of them are required is not shown. */
export const REGISTER_TEMPLATE = {
  id: { type: "string", required: "not shown" },
  name: { type: "string", required: "not shown" },
  prompt: { type: "string", required: "not shown" },
  negative_prompt: { type: "string", required: "not shown" },
  category: { type: "string", required: "not shown" },
  is_mature: { type: "bool", required: "not shown" },
} as const satisfies Fields;

/** Section 4.2: what it requires; the rest of a template is that of section 2.11. */
export const REGISTER_H3_TEMPLATE = {
  id: { type: "string", required: true },
  name: { type: "string", required: true },
  is_mature: { type: "bool", required: true },
  release_date: { type: "date", required: true },
  category: { type: "string" },
  prompt: { type: "string" },
} as const satisfies Fields;
