import type { Shown } from "./shape.ts";

/*
 * Fields of answers, typed by hand from sections 2 and 4 of the service's documentation.
 */

/** Section 2.2. */
export const USER = {
  id: "int",
  email: "string",
  username: "string",
  first_name: "string",
  last_name: "string",
  tokens: "number",
  subscription_active: "bool",
  subscription_end: "timestamp",
  created_at: "timestamp",
} as const satisfies Shown;

/** Section 4.1. */
export const BALANCE = {
  tokens: "number",
  subscription_active: "bool",
  subscription_end: "timestamp",
  can_generate: "bool",
} as const satisfies Shown;

/** Section 4.1. */
export const TOKENS = {
  tokens: "number",
  total_tokens_used: "number",
  subscription_active: "bool",
} as const satisfies Shown;

/** Section 2.8: the wrapper and one entry. */
export const VIDEO_TEMPLATES = { templates: "object", count: "int" } as const satisfies Shown;
export const VIDEO_TEMPLATE = {
  id: "string",
  name: "string",
  category: "string",
  subcategory: "string or null",
  is_mature: "bool",
  usage_count: "int",
  release_date: "date",
  is_new: "bool",
  is_featured: "bool",
  prompt: "string",
  negative_prompt: "string",
  description: "string",
  hint: "string",
  sub_templates: "objects",
} as const satisfies Shown;
export const SUB_TEMPLATE = {
  id: "string",
  name: "string",
  prompt: "string",
  negative_prompt: "string",
} as const satisfies Shown;

/** Section 2.9. */
export const IMAGE_MODELS = { success: "bool", models: "object" } as const satisfies Shown;
export const IMAGE_MODEL = {
  id: "string",
  name: "string",
  description: "string",
  type: "'image'",
  has_lora: "bool",
} as const satisfies Shown;

/** Section 2.10. */
export const EDIT_TEMPLATES = { success: "bool", templates: "object" } as const satisfies Shown;
export const EDIT_TEMPLATE = {
  id: "string",
  name: "string",
  category: "string",
  description: "string",
  requires_second_image: "bool",
  usage_count: "int",
} as const satisfies Shown;

/** Section 2.11: the list, a single one, and an entry. The last two fields are of registered ones. */
export const H3_TEMPLATES = {
  templates: "object",
  categories: "strings",
  sort: "string",
  pro_prompt_lock_enabled: "bool",
} as const satisfies Shown;
export const H3_TEMPLATE_ALONE = {
  template: "object",
  pro_prompt_lock_enabled: "bool",
} as const satisfies Shown;
export const H3_TEMPLATE = {
  id: "string",
  name: "string",
  category: "string",
  prompt: "string",
  usage_count: "int",
  "is_mature?": "bool",
  "release_date?": "date",
} as const satisfies Shown;

/** Section 4.2. */
export const REGISTERED = {
  success: "bool",
  template_id: "string",
  message: "string",
} as const satisfies Shown;

/** Section 2.3: what every answer to a submission has but where section 4 says otherwise. */
const SUBMITTED = {
  job_id: "id",
  status: "'submitted'",
  token_cost: "number",
  remaining_tokens: "number",
} as const satisfies Shown;

/** Sections 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.10 and 4.12. */
export const VIDEO_SUBMITTED = {
  ...SUBMITTED,
  message: "string",
  result_type: "string",
  video_quality: "string",
} as const satisfies Shown;
export const VIDEO_AUDIO_SUBMITTED = {
  ...SUBMITTED,
  message: "string",
  mode: "string",
} as const satisfies Shown;
export const IMAGE_SUBMITTED = SUBMITTED;
export const H3_SUBMITTED = {
  ...SUBMITTED,
  message: "string",
  pre_token_cost: "number",
  mode: "string",
  reference_count: "int",
} as const satisfies Shown;
export const VID3_SUBMITTED = { ...SUBMITTED, message: "string", status_url: "url" } as const satisfies Shown;
export const FACESWAP_SUBMITTED = { ...SUBMITTED, status_url: "url" } as const satisfies Shown;
export const INPAINT_SUBMITTED = {
  success: "bool",
  job_id: "id",
  status: "'IN_PROGRESS'",
  mode: "'inpaint'",
  token_cost: "number",
  status_url: "url",
} as const satisfies Shown;

/** Section 4.11. */
export const ENCODED_MASK = {
  success: "bool",
  image_base64: "base64",
  mask_base64: "base64",
  image_width: "int",
  image_height: "int",
  mask_width: "int",
  mask_height: "int",
  image_mime: "string",
  mask_mime: "string",
} as const satisfies Shown;

/** Section 2.5. */
export const JOBS = { jobs: "objects", pagination: "object" } as const satisfies Shown;
export const PAGINATION = {
  page: "int",
  pages: "int",
  per_page: "int",
  total: "int",
  has_next: "bool",
  has_prev: "bool",
} as const satisfies Shown;
/** What a standard user sees of a job in the list. */
export const LISTED_JOB = {
  id: "id",
  type: "string",
  status: "string",
  created_at: "timestamp",
  "started_at?": "timestamp or null",
  "completed_at?": "timestamp or null",
  token_cost: "number",
  "video_url?": "url or null",
  "image_url?": "url or null",
  "mode?": "string",
} as const satisfies Shown;

/** Section 2.6. */
export const STATS = {
  total_jobs: "int",
  completed_jobs: "int",
  failed_jobs: "int",
  pending_jobs: "int",
  success_rate: "number",
  tokens_remaining: "number",
  subscription_active: "bool",
  breakdown: "object",
} as const satisfies Shown;
export const BREAKDOWN = {
  total: "int",
  completed: "int",
  failed: "int",
  pending: "int",
} as const satisfies Shown;

/** Section 2.7. */
export const SETTINGS_ANSWER = { success: "bool", settings: "object" } as const satisfies Shown;
export const SETTINGS = {
  prompt: "string",
  lora_template: "string or null",
  sub_template: "string or null",
  duration: "int",
  auto_upscale: "bool",
} as const satisfies Shown;

/** Section 4.14. */
export const DELETED = { success: "bool", message: "string" } as const satisfies Shown;

/** Section 2.12. */
export const ERROR = { error: "string", code: "int" } as const satisfies Shown;
