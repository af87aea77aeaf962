import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SEED, VIDEO_BOUNDS } from "../../common/contract.ts";
import { parseFields } from "../records/body.ts";
import type { Catalogues } from "../catalogues/catalogues.ts";
import { flag, decimal, oneOf, required, seed, text, whole, wholeFrom } from "../records/fields.ts";
import type { StoredRequest } from "../records/records.ts";
import { readPicture } from "../records/pictures.ts";
import { videoPrice } from "../records/prices.ts";
import { Refusal } from "../records/refusal.ts";
import { lookForPrompt } from "../render/drawing/looks.ts";
import { STILL_SCALE } from "../render/stills.ts";
import { END_PICTURE, START_PICTURE } from "../render/task.ts";
import { settingsPrompt } from "../liberties/settings-prompt.ts";
import type { Variant, VideoTemplate } from "../templates/template.ts";
import { inBase64 } from "./base64.ts";
import { submitted, type Operation, type Plan } from "./operation.ts";
import { allowTemplate } from "./premium.ts";

const { duration, steps, orientations, qualities, resultTypes } = VIDEO_BOUNDS;

/** Pixels of the result; the contract shows no sizes for video. */
const SIZES = {
  portrait: { width: 576, height: 1024 },
  landscape: { width: 1024, height: 576 },
  square: { width: 768, height: 768 },
} as const;

const stored = z.strictObject({
  prompt: text.optional(),
  lora_template: text.optional(),
  sub_template: text.optional(),
  orientation: oneOf(orientations).default("portrait"),
  duration: wholeFrom(duration.min, duration.max).default(duration.default),
  steps: whole(`one of ${steps.choices.join(", ")}`, (value) =>
    steps.choices.some((n) => n === value),
  ).default(steps.default),
  cfg: decimal.default(VIDEO_BOUNDS.cfg.default),
  seed,
  negative_prompt: text.optional(),
  video_quality: oneOf(qualities).default("legacy"),
  result_type: oneOf(resultTypes).default("url"),
  auto_upscale: flag.default(false),
  platform: text.optional(),
  in_app_username: text.optional(),
});

/** `POST /generate/video` (section 4.3). */
const fields = stored
  .extend({
    image_base64: required("a picture as base64 or a data URI"),
    end_image_base64: text.optional(),
  })
  .refine((body) => body.prompt?.trim() || body.lora_template, {
    path: ["prompt"],
    error: "is required unless lora_template is given",
  })
  .refine((body) => body.lora_template !== undefined || body.sub_template === undefined, {
    path: ["sub_template"],
    error: "needs a lora_template",
  })
  .refine((body) => body.end_image_base64 === undefined || body.video_quality === "new", {
    path: ["end_image_base64"],
    error: "needs video_quality new",
  });

type VideoRequest = z.infer<typeof stored>;

interface Chosen {
  readonly template: VideoTemplate | undefined;
  readonly variant: Variant | undefined;
}

/** Image-to-video. */
export const video: Operation = {
  name: "video",
  type: "video",
  paths: ["/generate/video", "/generate"],
  group: "video",
  deletePaths: ["/jobs/:id", "/jobs/delete/:id"],

  async plan(body, { account, catalogues }): Promise<Plan> {
    const { image_base64, end_image_base64, ...request } = parseFields(fields, body);
    const { template } = choose(request, catalogues);
    allowTemplate(template, account);
    const cost = videoPrice(request);
    const { width, height } = SIZES[request.orientation];
    const still = (field: string, value: string) =>
      readPicture(field, value, width * STILL_SCALE, height * STILL_SCALE);
    return {
      cost,
      request,
      files: {
        [START_PICTURE]: await still("image_base64", image_base64),
        ...(end_image_base64 !== undefined && {
          [END_PICTURE]: await still("end_image_base64", end_image_base64),
        }),
      },
    };
  },

  answer(accepted) {
    const { result_type, video_quality } = requestOf(accepted);
    return {
      ...submitted(accepted),
      message: `Video job submitted. ${accepted.cost} tokens charged.`,
      result_type,
      video_quality,
    };
  },

  async record(job, result) {
    const request = requestOf(job);
    if (job.status === "FAILED") return {};
    if (job.status !== "COMPLETED") {
      const { prompt, lora_template, sub_template, orientation, result_type } = request;
      return {
        prompt: prompt ?? null,
        lora_template: lora_template ?? null,
        sub_template: sub_template ?? null,
        orientation,
        ...sizeOf(request),
        result_type,
      };
    }
    return {
      video_url: result.url,
      result_urls: [result.url],
      ...(request.result_type === "base64" && (await inBase64("video", result))),
    };
  },

  settings(job, liberties) {
    const { prompt, lora_template, sub_template, duration, auto_upscale } = requestOf(job);
    return {
      prompt: lora_template === undefined ? settingsPrompt(prompt ?? "", liberties) : "",
      lora_template: lora_template ?? null,
      sub_template: sub_template ?? null,
      duration,
      auto_upscale,
    };
  },

  format: () => "mp4",

  task(job, dir, catalogues) {
    const request = requestOf(job);
    const { template, variant } = choose(request, catalogues);
    return {
      kind: "clip",
      dir,
      stills: [START_PICTURE, END_PICTURE].map((name) => join(dir, name)).filter((path) => existsSync(path)),
      ...sizeOf(request),
      duration: request.duration,
      fps: 24,
      look: template ? { ...template.look, ...variant?.look } : lookForPrompt(request.prompt ?? ""),
      caption: request.prompt?.trim() || variant?.name || template?.name || "",
      seed: request.seed === SEED.random ? job.created_at : request.seed,
      fine: request.video_quality === "new",
    };
  },
};

/** @throws Refusal 400 for a template or sub-template that does not exist */
function choose(request: VideoRequest, catalogues: Catalogues): Chosen {
  if (request.lora_template === undefined) return { template: undefined, variant: undefined };
  const template = catalogues.template(request.lora_template);
  if (!template)
    throw new Refusal(400, `lora_template: no template ${JSON.stringify(request.lora_template)}`);
  const variant = template.variants?.find(({ id }) => id === request.sub_template);
  if (request.sub_template !== undefined && !variant)
    throw new Refusal(400, `sub_template: ${template.id} has no ${JSON.stringify(request.sub_template)}`);
  return { template, variant };
}

/** Pixels of the result. */
function sizeOf({ orientation, auto_upscale }: VideoRequest) {
  const { width, height } = SIZES[orientation];
  const scale = auto_upscale ? 2 : 1;
  return { width: width * scale, height: height * scale };
}

function requestOf({ request }: { readonly request: StoredRequest }): VideoRequest {
  return stored.parse(request);
}
