import { join } from "node:path";
import { z } from "zod";
import { VID3_BOUNDS } from "../../common/contract.ts";
import { requireTier } from "../records/accounts.ts";
import { readAudios } from "../records/audios.ts";
import { parseFields } from "../records/body.ts";
import { flag, oneOf, prompt, seed, text, wholeFrom } from "../records/fields.ts";
import { timestamp, tokens } from "../records/formats.ts";
import { describePicture, readPicture } from "../records/pictures.ts";
import { vid3Price } from "../records/prices.ts";
import type { StoredRequest } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { lookForPrompt } from "../render/drawing/looks.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { STILL_SIDE } from "../render/stills.ts";
import { errorMessage } from "../records/shown.ts";
import { inBase64 } from "./base64.ts";
import { submitted, type Operation, type Plan } from "./operation.ts";
import { drawnSeed } from "./seeds.ts";

const { duration, sizes, aspectRatios, platforms, resultTypes } = VID3_BOUNDS;
const FPS = 16;

/** What prompt expansion adds. */
const EXPANSION = ", in fine detail, soft light, slow camera";

const IMAGES = `must be ${VID3_BOUNDS.images.min} to ${VID3_BOUNDS.images.max} pictures, as base64 or data URIs`;
const AUDIOS = `must be 1 to ${VID3_BOUNDS.audios.max} sounds; leave it out when there are none`;

const asked = z.strictObject({
  prompt: prompt.refine((value) => value.length <= VID3_BOUNDS.prompt.max, {
    error: `must be at most ${VID3_BOUNDS.prompt.max} characters`,
  }),
  duration: wholeFrom(duration.min, duration.max).default(duration.default),
  size: oneOf(sizes.choices).default(sizes.default),
  aspect_ratio: oneOf(aspectRatios.choices).default(aspectRatios.default),
  audio_enable: flag.default(false),
  prompt_expansion_enable: flag.default(false),
  seed,
  platform: oneOf(platforms.choices).default(platforms.default),
  in_app_username: text.optional(),
  result_type: oneOf(resultTypes).default("url"),
});

/** `POST /generate/vid3-ref2v` (section 4.8). */
const fields = asked.extend({
  images: z
    .array(z.string({ error: IMAGES }), { error: IMAGES })
    .min(VID3_BOUNDS.images.min, { error: IMAGES })
    .max(VID3_BOUNDS.images.max, { error: IMAGES }),
  audios: z
    .array(z.string({ error: AUDIOS }), { error: AUDIOS })
    .min(1, { error: AUDIOS })
    .max(VID3_BOUNDS.audios.max, { error: AUDIOS })
    .optional(),
});

/** What is stored; of the sounds, how ffmpeg reads each. */
const stored = asked.extend({ demuxers: z.array(z.string()) });

const audioName = (index: number) => `audio-${index}`;

/** Reference-to-video v3. */
export const vid3: Operation = {
  name: "vid3",
  type: "vid3",
  paths: ["/generate/vid3-ref2v", "/vid3-ref2v/generate"],
  group: "vid3",
  deletePaths: ["/vid3-ref2v-jobs/delete/:id"],

  multipart: {
    files: [
      { field: "images", parts: /^(images(\[\])?|image_[1-5])$/, list: true },
      { field: "audios", parts: /^(audios(\[\])?|audio_[1-3])$/, list: true },
    ],
    json: ["duration", "audio_enable", "prompt_expansion_enable", "seed"],
  },

  async plan(body, { account }): Promise<Plan> {
    const { images, audios: sounds = [], ...request } = parseFields(fields, body);
    const pictures = await Promise.all(images.map((value, index) => readReference(`images.${index}`, value)));
    const audios = await readAudios(sounds);
    requireTier(account, "pro", "Reference-to-video v3");
    return {
      cost: vid3Price(request),
      request: {
        ...request,
        seed: drawnSeed(request.seed),
        demuxers: audios.map(({ demuxer }) => demuxer),
      },
      files: {
        ...inputFiles(pictures),
        ...Object.fromEntries(audios.map(({ bytes }, index) => [audioName(index), bytes])),
      },
    };
  },

  answer: (accepted) => ({
    ...submitted(accepted),
    message: `Reference-to-video job submitted. ${accepted.cost} tokens charged.`,
    status_url: accepted.statusUrl,
  }),

  // The unified record does not know these jobs.
  record: async () => ({}),

  own: {
    paths: ["/vid3-ref2v-jobs/:id", "/vid3-ref2v/job/:id"],
    downloadPaths: ["/vid3-ref2v/:id/video", "/vid3-ref2v-jobs/:id/video"],
    async record(job, result) {
      const { duration, size, aspect_ratio, audio_enable, prompt_expansion_enable } = requestOf(job);
      return {
        id: job.id,
        status: job.status,
        progress: job.progress,
        duration,
        size,
        aspect_ratio,
        audio_enable,
        prompt_expansion_enable,
        pre_token_cost: tokens(job.reserved),
        token_cost: tokens(job.cost),
        error_message: errorMessage(job),
        created_at: timestamp(job.created_at),
        completed_at: timestamp(job.completed_at),
        ...(job.status === "COMPLETED" && {
          video_url: result.url,
          ...(await inBase64("video", result, "video/mp4")),
        }),
      };
    },
  },

  format: () => "mp4",

  task(job, dir) {
    const request = requestOf(job);
    const references = request.demuxers.map((demuxer, index) => ({
      demuxer,
      path: join(dir, audioName(index)),
    }));
    return {
      kind: "clip",
      dir,
      stills: inputPaths(dir),
      ...pixelsOf(request),
      duration: request.duration,
      fps: FPS,
      look: lookForPrompt(request.prompt),
      caption: request.prompt + (request.prompt_expansion_enable ? EXPANSION : ""),
      seed: request.seed,
      fine: false,
      ...(request.audio_enable && { sound: { references } }),
    };
  },
};

/** A reference picture: JPEG or PNG only. */
async function readReference(field: string, value: string): Promise<Buffer> {
  const { types } = VID3_BOUNDS.images;
  const { mime } = await describePicture(field, value);
  if (!types.some((type) => type === mime))
    throw new Refusal(400, `${field}: must be one of ${types.join(", ")}`);
  return readPicture(field, value, STILL_SIDE, STILL_SIDE);
}

/** The size names the shorter side; both are even. */
function pixelsOf({ size, aspect_ratio }: z.infer<typeof asked>) {
  const short = Number.parseInt(size, 10);
  const [across = 1, down = 1] = aspect_ratio.split(":").map(Number);
  const scale = short / Math.min(across, down) / 2;
  return { width: Math.round(across * scale) * 2, height: Math.round(down * scale) * 2 };
}

function requestOf({ request }: { readonly request: StoredRequest }): z.infer<typeof stored> {
  return stored.parse(request);
}
