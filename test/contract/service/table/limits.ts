import type { Field, Group } from "./shape.ts";

/** Section 8.1: requests in {@link RATE_WINDOW_SECONDS}, per IP and per key. */
export const RATES = {
  user: 120,
  status: 120,
  video: 20,
  videoAudio: 60,
  vid3: 30,
  image: 30,
  faceswap: 20,
  delete: 20,
  registration: 10,
} as const satisfies Record<Group, number>;

export const RATE_WINDOW_SECONDS = 60;

/** Section 7. */
export const STATUSES = {
  400: "Invalid request or validation error",
  401: "Missing or invalid API key",
  402: "Insufficient tokens",
  403: "Subscription required",
  404: "Resource not found",
  429: "Rate limit exceeded, or concurrent job slot exceeded",
  500: "Server error or compute-provider submission error",
  503: "Service maintenance",
} as const;

/** The message of a 429 that means the rate (section 7). */
export const RATE_MESSAGE = "Too many requests. Please slow down.";

/** Section 8.2 repeats bounds of section 4: whose, of which field, and the bound. */
export const FIELD_BOUNDS = [
  ["generateVideo", "duration", { min: 3, max: 8 }],
  ["generateVideoAudio", "duration", { min: 5, max: 20 }],
  ["generateVideoAudio", "width", { min: 64, max: 1240, multipleOf: 8 }],
  ["generateVideoAudio", "height", { min: 64, max: 1240, multipleOf: 8 }],
  ["generateH3", "duration", { min: 5, max: 20 }],
  ["generateH3", "reference_images", { count: { min: 1, max: 4 } }],
  ["generateVid3", "duration", { min: 2, max: 30 }],
  ["generateVid3", "images", { count: { min: 1, max: 5 } }],
  ["generateVid3", "audios", { count: { min: 1, max: 3 }, maxSecondsTogether: 15 }],
  ["generateVid3", "prompt", { max: 20_000, about: true }],
  ["generateImgproEdit", "images", { count: { min: 1, max: 5 }, each: { maxMb: 4 } }],
  ["generateImgproReference", "images", { count: { min: 1, max: 5 }, each: { maxMb: 4 } }],
  ["generateImage", "width", { max: 2048 }],
  ["generateImage", "height", { max: 2048 }],
] as const satisfies readonly (readonly [endpoint: string, field: string, bound: Partial<Field>])[];

/** Tokens that the contract gives a formula or a number for (sections 4.8 and 4.9). */
export const PRICES = {
  vid3: { least: 2, perSecond: { "480p": 0.88, "720p": 1.76, "1080p": 3.52 } },
  imgpro: { i2i: 1.22, ref2i: 1.08 },
} as const;
