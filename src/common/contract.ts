/**
 * The service's published facts, as data: what its documentation states, and nothing of ours.
 * The client, the operations and the sandbox all read them here, so that none can drift from the others.
 * Section numbers are those of the service's documentation.
 */

/** The window in which every published rate is counted, in milliseconds (section 8.1). */
export const RATE_WINDOW_MS = 60_000;

/** Requests per window, per IP and per key, for each group of endpoints (section 8.1). */
export const RATE_LIMITS = {
  /** `/user/*`, `/templates` and the other catalogues. */
  user: 120,
  /** `/job/*`, `/jobs`, `/stats`; the records and downloads of single products count here as well. */
  status: 120,
  /** `/generate/video`. */
  video: 20,
  /** `/generate/video-audio` and `/generate/vendor-h3` together. */
  videoAudio: 60,
  /** `/generate/vid3-ref2v`. */
  vid3: 30,
  /** Image generation, edit and inpaint together; image pro, whose limit is not shown, is kept in here too. */
  image: 30,
  /** `/generate/faceswap`. */
  faceswap: 20,
  /** Every delete endpoint together. */
  delete: 20,
  /** Template registration, for boss accounts on the full-catalogue host. */
  registration: 10,
} as const;

/** A group of endpoints that share one published rate. */
export type RateGroup = keyof typeof RATE_LIMITS;

/** Types of the unified job record (section 2.4). Reference-to-video v3 and image pro are none of them. */
export const JOB_TYPES = ["video", "video_audio", "vendor_h3", "image", "image_edit", "faceswap"] as const;

/** Types that the job list shows to standard users (section 4.13). */
export const LISTED_TYPES = ["video", "video_audio", "image_edit"] as const;

/** What `seed` means everywhere: -1 is a random one, others are from 0 (section 4.3). */
export const SEED = { min: 0, random: -1 } as const;

/** Bounds of `POST /generate/video` (sections 4.3 and 8.2). */
export const VIDEO_BOUNDS = {
  duration: { min: 3, max: 8, default: 6 },
  steps: { choices: [4, 6, 8], default: 4 },
  cfg: { default: 1 },
  orientations: ["portrait", "landscape", "square"],
  qualities: ["legacy", "new"],
  resultTypes: ["url", "base64"],
} as const;

/** Bounds of `POST /generate/video-audio` (sections 4.4 and 8.2). */
export const VIDEO_AUDIO_BOUNDS = {
  duration: { min: 5, max: 20, default: 5 },
  /** Width and height, in pixels. */
  side: { min: 64, max: 1240, multipleOf: 8 },
  /** Frames a second; the default depends on whether there is an image. */
  frameRates: { choices: [16, 25], default: { T2V: 16, I2V: 25 } },
} as const;

/** Bounds of `POST /generate/vendor-h3` (sections 4.7 and 8.2). */
export const H3_BOUNDS = {
  modes: ["t2v", "i2v", "r2v"],
  /** Seconds; the most depends on the tier. */
  duration: { min: 5, max: 20 },
  references: { min: 1, max: 4 },
  turboMode: { default: true },
  /** `<w>:<h> (<label>)`. */
  aspectRatio: /^[1-9]\d*:[1-9]\d* \([^()]+\)$/,
  /** Resolved by the server from `template_id`; never to be sent. */
  forbidden: ["loras", "lora_name", "style_lora", "lora_pairs"],
} as const;

/** Orders of the H3 template list (section 4.2). */
export const H3_TEMPLATE_SORTS = ["latest", "most-used", "free-first", "name"] as const;

/** Bounds of `POST /generate/vid3-ref2v` (sections 4.8 and 8.2). */
export const VID3_BOUNDS = {
  /** Characters; the documentation says "about". */
  prompt: { max: 20_000 },
  images: { min: 1, max: 5, types: ["image/jpeg", "image/png"] },
  duration: { min: 2, max: 30, default: 5 },
  sizes: { choices: ["480p", "720p", "1080p"], default: "720p" },
  aspectRatios: { choices: ["16:9", "9:16", "1:1", "4:3", "3:4"], default: "16:9" },
  audios: {
    max: 3,
    types: ["audio/mpeg", "audio/wav", "audio/mp4", "audio/aac", "audio/ogg"],
    /** Bytes of one; decimal, so that it fits however the service counts. */
    maxBytes: 8_000_000,
    maxSeconds: 10,
    maxSecondsTogether: 15,
  },
  platforms: { choices: ["api", "web", "telegram", "kn"], default: "api" },
  resultTypes: ["url", "base64"],
} as const;

/** Tokens of `POST /generate/vid3-ref2v`: a rate for each second, at least `min` (section 4.8). */
export const VID3_PRICE = { perSecond: { "480p": 0.88, "720p": 1.76, "1080p": 3.52 }, min: 2 } as const;

/** Tokens of the dearest job whose price is published. */
export const DEAREST_PUBLISHED = VID3_PRICE.perSecond["1080p"] * VID3_BOUNDS.duration.max;

/** Bounds of `POST /generate/image` (sections 4.6 and 8.2). */
export const IMAGE_BOUNDS = {
  model: { default: "Default" },
  /** Width and height, in pixels. */
  side: { max: 2048, default: 1024 },
  guidance: { default: 7.5 },
  steps: { default: 4 },
} as const;

/** Bounds of `POST /generate/image-edit` (section 4.5). */
export const IMAGE_EDIT_BOUNDS = {
  models: { choices: ["model_a", "model_b"], default: "model_a" },
  versions: { choices: ["v2"], default: "v2" },
  /** `quality` costs twice what `fast` does. */
  modes: { choices: ["fast", "quality"], default: "fast" },
} as const;

/** Bounds of `POST /generate/imgpro-i2i` and `POST /generate/imgpro-ref2i` (sections 4.9 and 8.2). */
export const IMGPRO_BOUNDS = {
  /** Bytes of one; decimal, so that it fits however the service counts. */
  images: { min: 1, max: 5, maxBytes: 4_000_000 },
  /** `<w>x<h>`; the values themselves are not shown. */
  size: /^[1-9]\d*x[1-9]\d*$/,
  formats: { choices: ["jpg", "png"], default: "jpg" },
} as const;

/** Tokens of the two image pro endpoints, unless an admin set something else (section 4.9). */
export const IMGPRO_PRICE = { i2i: 1.22, ref2i: 1.08 } as const;

/** The most jobs one page of `GET /jobs` holds, and its default (section 4.13). */
export const JOBS_PER_PAGE = { max: 100, default: 20 } as const;

/** The message of the 429 that means "slow down", as opposed to "no free job slot" (section 7). */
export const RATE_LIMIT_MESSAGE = "Too many requests. Please slow down.";

/** States in which a job has ended; every other value means that it still runs (sections 2.4 and 3). */
export const END_STATES = { completed: "COMPLETED", failed: "FAILED" } as const;

/** The service's two hosts, which differ in their catalogues (section 1, rule 5). */
export type Host = "primary" | "full-catalog";

/** Their addresses, each ending in `/api`; the second may not be known. */
export interface Hosts extends Readonly<Record<Host, string | undefined>> {
  readonly primary: string;
}
