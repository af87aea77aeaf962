import type { Shown } from "./shape.ts";

/*
 * Job records, typed by hand from section 2.4 of the service's documentation.
 */

/** What every unified record has. */
const COMMON = {
  job_id: "id",
  type: "string",
  status: "string",
  progress: "int",
  created_at: "timestamp",
  started_at: "timestamp or null",
  completed_at: "timestamp or null",
  error_message: "string or null",
  token_cost: "number",
} as const satisfies Shown;

const VIDEO_RESULT = { video_url: "url", result_urls: "urls" } as const satisfies Shown;
const IMAGE_RESULT = { image_url: "url", image_base64: "base64" } as const satisfies Shown;

const VIDEO_AUDIO = { ...COMMON, mode: "string" } as const satisfies Shown;

const H3 = {
  ...COMMON,
  mode: "string",
  duration: "int",
  megapixels: "number",
  aspect_ratio: "string",
  pre_token_cost: "number",
  execution_time_ms: "int or null",
  billing_adjusted: "bool",
} as const satisfies Shown;

const IMAGE = {
  ...COMMON,
  model_id: "string",
  guidance: "number",
  seed: "int",
  width: "int",
  height: "int",
} as const satisfies Shown;

const FACESWAP = { ...COMMON, seed: "int", steps: "int", auto_caption: "bool" } as const satisfies Shown;

/** The unified record of each type: while it runs, and completed. */
export const RECORDS = {
  video: {
    running: {
      ...COMMON,
      prompt: "string or null",
      lora_template: "string or null",
      sub_template: "string or null",
      orientation: "string",
      width: "int",
      height: "int",
      result_type: "string",
    },
    completed: { ...COMMON, ...VIDEO_RESULT, "video_base64?": "base64" },
  },
  video_audio: {
    running: VIDEO_AUDIO,
    completed: { ...VIDEO_AUDIO, ...VIDEO_RESULT, "video_base64?": "base64" },
  },
  vendor_h3: { running: H3, completed: { ...H3, ...VIDEO_RESULT, video_base64: "data URI" } },
  image: { running: IMAGE, completed: { ...IMAGE, ...IMAGE_RESULT } },
  image_edit: { running: COMMON, completed: { ...COMMON, ...IMAGE_RESULT } },
  faceswap: { running: FACESWAP, completed: { ...FACESWAP, ...IMAGE_RESULT } },
} as const satisfies Record<string, { running: Shown; completed: Shown }>;

/** Records of single products; image pro's fields are not shown. */
export const DEDICATED = {
  faceswap: {
    job_id: "id",
    status: "string",
    token_cost: "number",
    seed: "int",
    steps: "int",
    auto_caption: "bool",
    error_message: "string or null",
    created_at: "timestamp",
    completed_at: "timestamp or null",
    image_url: "url or null",
    image_base64: "data URI",
  },
  /** "The H3 job's serialized fields plus": only the additions are shown. */
  vendor_h3: { pre_token_cost: "number", billing_adjusted: "bool", video_url: "url" },
  /** It says `id`, not `job_id`. */
  vid3: {
    id: "id",
    status: "string",
    duration: "int",
    size: "string",
    aspect_ratio: "string",
    audio_enable: "bool",
    prompt_expansion_enable: "bool",
    pre_token_cost: "number",
    token_cost: "number",
    video_url: "url",
    video_base64: "data URI",
  },
} as const satisfies Record<string, Shown>;

/** Types of the unified record. */
export const JOB_TYPES = ["video", "video_audio", "vendor_h3", "image", "image_edit", "faceswap"] as const;

/** What the job list shows to standard users (section 4.13). */
export const LISTED_TYPES = ["video", "video_audio", "image_edit"] as const;

/** States that are named (section 3); the last two end polling. */
export const STATES = ["SUBMITTED", "IN_PROGRESS", "COMPLETED", "FAILED"] as const;
