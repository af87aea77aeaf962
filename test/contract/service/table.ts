import * as answers from "./table/answers.ts";
import { DEDICATED, RECORDS } from "./table/records.ts";
import * as requests from "./table/requests.ts";
import type { Endpoint } from "./table/shape.ts";

/*
 * The service's contract as a table, typed by hand from its documentation and from nothing of ours: not from
 * src/common/contract.ts, the client or the sandbox, which are all held against it.
 */

export * from "./table/limits.ts";
export * from "./table/records.ts";
export * from "./table/shape.ts";
export { answers, requests };

/** Section 4.13 and 8.2. */
const JOB_LIST = {
  page: { type: "int", default: 1 },
  per_page: { type: "int", max: 100, default: 20 },
  status: { type: "string" },
} as const;

/** Section 4.2. */
const H3_TEMPLATE_LIST = {
  sort: { type: "string", choices: ["latest", "most-used", "free-first", "name"] },
  id: { type: "string" },
} as const;

const remove = (path: string, aliases: readonly string[] = []) =>
  ({ section: "4.14", method: "DELETE", path, aliases, group: "delete", answer: answers.DELETED }) as const;

/** Every endpoint of section 4, by the client's method for it. */
export const ENDPOINTS = {
  info: { section: "4.1", method: "GET", path: "/user/info", group: "user", answer: answers.USER },
  balance: { section: "4.1", method: "GET", path: "/user/balance", group: "user", answer: answers.BALANCE },
  tokens: { section: "4.1", method: "GET", path: "/user/tokens", group: "user", answer: answers.TOKENS },
  templates: {
    section: "4.2",
    method: "GET",
    path: "/templates",
    aliases: ["/lora-templates"],
    group: "user",
    answer: answers.VIDEO_TEMPLATES,
  },
  rawTemplates: {
    section: "4.2",
    method: "GET",
    path: "/templates",
    aliases: ["/lora-templates"],
    group: "user",
    access: "boss",
    query: { full: { type: "int", choices: [1], required: true } },
    answer: { templates: "object", categories: "object", "count?": "int" },
  },
  imageModels: {
    section: "4.2",
    method: "GET",
    path: "/image-models",
    group: "user",
    answer: answers.IMAGE_MODELS,
  },
  imageEditTemplates: {
    section: "4.2",
    method: "GET",
    path: "/image-edit-templates",
    group: "user",
    answer: answers.EDIT_TEMPLATES,
  },
  h3Templates: {
    section: "4.2",
    method: "GET",
    path: "/h3-r2v-templates",
    group: "user",
    query: H3_TEMPLATE_LIST,
    answer: answers.H3_TEMPLATES,
  },
  registerTemplate: {
    section: "4.2",
    method: "POST",
    path: "/templates",
    group: "registration",
    access: "boss",
    host: "full-catalog",
    body: requests.REGISTER_TEMPLATE,
    answer: answers.REGISTERED,
  },
  registerH3Template: {
    section: "4.2",
    method: "POST",
    path: "/h3-r2v-templates",
    group: "registration",
    access: "boss",
    host: "full-catalog",
    body: requests.REGISTER_H3_TEMPLATE,
  },
  generateVideo: {
    section: "4.3",
    method: "POST",
    path: "/generate/video",
    aliases: ["/generate"],
    group: "video",
    body: requests.VIDEO,
    answer: answers.VIDEO_SUBMITTED,
  },
  generateVideoAudio: {
    section: "4.4",
    method: "POST",
    path: "/generate/video-audio",
    aliases: ["/video-audio/generate"],
    group: "videoAudio",
    body: requests.VIDEO_AUDIO,
    answer: answers.VIDEO_AUDIO_SUBMITTED,
  },
  generateImageEdit: {
    section: "4.5",
    method: "POST",
    path: "/generate/image-edit",
    group: "image",
    body: requests.IMAGE_EDIT,
    answer: answers.IMAGE_SUBMITTED,
  },
  generateImage: {
    section: "4.6",
    method: "POST",
    path: "/generate/image",
    group: "image",
    body: requests.IMAGE,
    answer: answers.IMAGE_SUBMITTED,
  },
  generateH3: {
    section: "4.7",
    method: "POST",
    path: "/generate/vendor-h3",
    aliases: ["/vendor-h3/generate"],
    group: "videoAudio",
    body: requests.H3,
    answer: answers.H3_SUBMITTED,
  },
  h3Job: { section: "4.7", method: "GET", path: "/vendor-h3-jobs/{id}", answer: DEDICATED.vendor_h3 },
  generateVid3: {
    section: "4.8",
    method: "POST",
    path: "/generate/vid3-ref2v",
    aliases: ["/vid3-ref2v/generate"],
    group: "vid3",
    access: "pro",
    body: requests.VID3,
    // The names of the parts that hold pictures are not shown.
    multipart: { audios: ["audio_1", "audio_2", "audio_3", "audios[]"] },
    answer: answers.VID3_SUBMITTED,
  },
  vid3Job: {
    section: "4.8",
    method: "GET",
    path: "/vid3-ref2v-jobs/{id}",
    aliases: ["/vid3-ref2v/job/{id}"],
    answer: DEDICATED.vid3,
  },
  vid3Video: {
    section: "4.8",
    method: "GET",
    path: "/vid3-ref2v/{id}/video",
    aliases: ["/vid3-ref2v-jobs/{id}/video"],
  },
  generateImgproEdit: {
    section: "4.9",
    method: "POST",
    path: "/generate/imgpro-i2i",
    access: "pro",
    body: requests.IMGPRO_I2I,
    multipart: {
      images: [
        "imgpro_image_0",
        "imgpro_image_1",
        "imgpro_image_2",
        "imgpro_image_3",
        "imgpro_image_4",
        "images",
      ],
    },
  },
  generateImgproReference: {
    section: "4.9",
    method: "POST",
    path: "/generate/imgpro-ref2i",
    access: "pro",
    body: requests.IMGPRO_REF2I,
    multipart: {
      images: [
        "imgpro_image_0",
        "imgpro_image_1",
        "imgpro_image_2",
        "imgpro_image_3",
        "imgpro_image_4",
        "images",
      ],
    },
  },
  imgproJob: { section: "4.9", method: "GET", path: "/imgpro-jobs/{id}" },
  imgproImage: { section: "4.9", method: "GET", path: "/imgpro-jobs/{id}/image" },
  generateFaceswap: {
    section: "4.10",
    method: "POST",
    path: "/generate/faceswap",
    group: "faceswap",
    access: "pro or boss",
    body: requests.FACESWAP,
    answer: answers.FACESWAP_SUBMITTED,
  },
  faceswapJob: { section: "4.10", method: "GET", path: "/faceswap/{id}", answer: DEDICATED.faceswap },
  encodeMask: {
    section: "4.11",
    method: "POST",
    path: "/encode/image-mask",
    body: requests.ENCODE_MASK,
    multipart: { image_base64: ["image"], mask_base64: ["mask"] },
    answer: answers.ENCODED_MASK,
  },
  generateInpaint: {
    section: "4.12",
    method: "POST",
    path: "/generate/image-inpaint",
    group: "image",
    body: requests.INPAINT,
    answer: answers.INPAINT_SUBMITTED,
  },
  job: {
    section: "4.13",
    method: "GET",
    path: "/job/{id}",
    aliases: ["/job/{id}/status", "/video-audio/job/{id}"],
    group: "status",
    answer: RECORDS.video.completed,
  },
  jobs: {
    section: "4.13",
    method: "GET",
    path: "/jobs",
    group: "status",
    query: JOB_LIST,
    answer: answers.JOBS,
  },
  stats: { section: "4.13", method: "GET", path: "/stats", group: "status", answer: answers.STATS },
  jobSettings: {
    section: "4.13",
    method: "GET",
    path: "/jobs/{id}/settings",
    group: "status",
    answer: answers.SETTINGS_ANSWER,
  },
  deleteAllJobs: remove("/jobs/delete-all"),
  deleteVideoJob: remove("/jobs/{id}", ["/jobs/delete/{id}"]),
  deleteImageJob: remove("/image-jobs/delete/{id}"),
  deleteImageEditJob: remove("/image-edit-jobs/delete/{id}"),
  deleteFaceswapJob: remove("/faceswap-jobs/delete/{id}"),
  deleteVideoAudioJob: remove("/video-audio-jobs/delete/{id}"),
  deleteH3Job: remove("/vendor-h3-jobs/delete/{id}"),
  deleteVid3Job: remove("/vid3-ref2v-jobs/delete/{id}"),
  deleteUpscaleJob: remove("/image-upscale-jobs/delete/{id}"),
} as const satisfies Record<string, Endpoint>;
