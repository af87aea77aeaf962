import { z } from "zod";
import { VIDEO_AUDIO_BOUNDS } from "../../common/contract.ts";
import { parseFields } from "../records/body.ts";
import type { Catalogues } from "../catalogues/catalogues.ts";
import { oneOf, prompt, seed, text, whole, wholeFrom } from "../records/fields.ts";
import { readPicture, sizeOf } from "../records/pictures.ts";
import { videoAudioPrice } from "../records/prices.ts";
import type { StoredRequest } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { lookForPrompt } from "../render/drawing/looks.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { STILL_SIDE } from "../render/stills.ts";
import type { VideoTemplate } from "../templates/template.ts";
import { inBase64 } from "./base64.ts";
import { submitted, type Operation, type Plan } from "./operation.ts";
import { allowTemplate } from "./premium.ts";
import { drawnSeed } from "./seeds.ts";

const { duration, side, frameRates } = VIDEO_AUDIO_BOUNDS;

/** Pixels of a result for which none were asked; the contract shows none. */
const LANDSCAPE = { width: 704, height: 480 } as const;
const PORTRAIT = { width: 480, height: 704 } as const;

/** Records carry the result as base64 up to this many bytes: the contract says "often". */
const MAX_INLINE_BYTES = 8_000_000;

const pixels = whole(
  `a multiple of ${side.multipleOf} from ${side.min} to ${side.max}`,
  (value) => value >= side.min && value <= side.max && value % side.multipleOf === 0,
);

const asked = z.strictObject({
  prompt,
  duration: wholeFrom(duration.min, duration.max).default(duration.default),
  width: pixels.optional(),
  height: pixels.optional(),
  template: text.optional(),
  negative_prompt: text.optional(),
  frame_rate: whole(`one of ${frameRates.choices.join(", ")}`, (value) =>
    frameRates.choices.some((rate) => rate === value),
  ).optional(),
});

/** `POST /generate/video-audio` (section 4.4). */
const fields = asked.extend({ image_base64: text.optional() });

const stored = asked.required({ width: true, height: true, frame_rate: true }).extend({
  mode: oneOf(["T2V", "I2V"]),
  seed,
  /** Whose compute makes it: each host has its own (section 1, rule 5). */
  compute: oneOf(["primary", "full-catalog"]),
});

/** Video with sound, from words or from a photo. */
export const videoAudio: Operation = {
  name: "video-audio",
  type: "video_audio",
  paths: ["/generate/video-audio", "/video-audio/generate"],
  group: "videoAudio",
  deletePaths: ["/video-audio-jobs/delete/:id"],

  async plan(body, { account, full, catalogues }): Promise<Plan> {
    const { image_base64, ...request } = parseFields(fields, body);
    const template = choose(request, catalogues);
    const picture =
      image_base64 === undefined
        ? undefined
        : await readPicture("image_base64", image_base64, STILL_SIDE, STILL_SIDE);
    allowTemplate(template, account);
    const mode = picture ? "I2V" : "T2V";
    const size = { ...((await isUpright(picture)) ? PORTRAIT : LANDSCAPE), ...sizeAsked(request) };
    return {
      cost: videoAudioPrice({ ...size, duration: request.duration }),
      request: {
        ...request,
        ...size,
        mode,
        frame_rate: request.frame_rate ?? frameRates.default[mode],
        seed: drawnSeed(),
        compute: full ? "full-catalog" : "primary",
      },
      files: inputFiles(picture ? [picture] : []),
    };
  },

  answer(accepted) {
    const { mode, compute } = requestOf(accepted);
    const where = compute === "primary" ? "" : " to the full-catalogue host's own compute";
    return {
      ...submitted(accepted),
      message: `Video+audio job submitted${where}. ${accepted.cost} tokens charged.`,
      mode,
    };
  },

  async record(job, result) {
    const { mode } = requestOf(job);
    if (job.status !== "COMPLETED") return { mode };
    const urls = { video_url: result.url, result_urls: [result.url] };
    const file = await inBase64("video", result);
    const small = Object.values(file).every(({ length }) => (length * 3) / 4 <= MAX_INLINE_BYTES);
    const inline = small && result.liberties.videoBase64 === "small";
    return { mode, ...urls, ...(inline && file) };
  },

  format: () => "mp4",

  task(job, dir, catalogues) {
    const request = requestOf(job);
    const template = choose(request, catalogues);
    return {
      kind: "clip",
      dir,
      stills: inputPaths(dir),
      width: request.width,
      height: request.height,
      duration: request.duration,
      fps: request.frame_rate,
      look: template?.look ?? lookForPrompt(request.prompt),
      caption: template?.prompt ?? request.prompt,
      seed: request.seed,
      fine: false,
      sound: { references: [] },
    };
  },
};

/** @throws Refusal 400 for a template that does not exist */
function choose({ template: id }: z.infer<typeof asked>, catalogues: Catalogues): VideoTemplate | undefined {
  if (id === undefined) return undefined;
  const template = catalogues.template(id);
  if (!template) throw new Refusal(400, `template: no template ${JSON.stringify(id)}`);
  return template;
}

async function isUpright(picture: Buffer | undefined): Promise<boolean> {
  if (!picture) return false;
  const { width, height } = await sizeOf(picture);
  return height > width;
}

function sizeAsked({ width, height }: z.infer<typeof asked>) {
  return { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}

function requestOf({ request }: { readonly request: StoredRequest }): z.infer<typeof stored> {
  return stored.parse(request);
}
