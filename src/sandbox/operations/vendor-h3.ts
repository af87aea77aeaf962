import { z } from "zod";
import { H3_BOUNDS } from "../../common/contract.ts";
import type { Tier } from "../records/accounts.ts";
import { parseFields } from "../records/body.ts";
import type { Catalogues } from "../catalogues/catalogues.ts";
import type { H3Template } from "../catalogues/h3-templates.ts";
import { decimal, flag, oneOf, prompt, seed, text, wholeFrom } from "../records/fields.ts";
import { tokens } from "../records/formats.ts";
import { readPicture } from "../records/pictures.ts";
import { h3Price } from "../records/prices.ts";
import type { Job, StoredRequest } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { lookForPrompt, type Look } from "../render/drawing/looks.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { STILL_SIDE } from "../render/stills.ts";
import { commonFields } from "../records/shown.ts";
import { inBase64 } from "./base64.ts";
import { h3Mode, h3Pictures } from "./h3-mode.ts";
import { submitted, type Operation, type Plan, type Result } from "./operation.ts";
import { allowTemplate } from "./premium.ts";
import { drawnSeed } from "./seeds.ts";

const { modes, duration, references, turboMode, aspectRatio, forbidden } = H3_BOUNDS;

/** Seconds that a tier may ask for at most; the contract only says that it depends on the tier. */
const LONGEST: Readonly<Record<Tier, number>> = { standard: 10, pro: 15, ultra: 20, boss: 20 };

/** Resolution and shape, where the contract shows no bounds. */
const MEGAPIXELS = { min: 0.25, max: 2, default: 0.5 } as const;
const WIDEST = 4;
const FPS = 16;

/** Goes before the prompt of a photo with a template (rule 1). */
const PREAMBLE = "Keep the identity of the person in the input image: the same face, hair and build. ";

const COUNT = `must be ${references.min} to ${references.max} pictures, as base64 or data URIs`;

const asked = z.strictObject({
  prompt,
  duration: wholeFrom(duration.min, duration.max).default(duration.min),
  megapixels: decimal
    .min(MEGAPIXELS.min, { error: `must be from ${MEGAPIXELS.min} to ${MEGAPIXELS.max}` })
    .max(MEGAPIXELS.max, { error: `must be from ${MEGAPIXELS.min} to ${MEGAPIXELS.max}` })
    .default(MEGAPIXELS.default),
  aspect_ratio: text
    .regex(aspectRatio, { error: "must be a ratio and a label: <w>:<h> (<label>)" })
    .refine((value) => Math.max(ratioOf(value), 1 / ratioOf(value)) <= WIDEST, {
      error: `must be from 1:${WIDEST} to ${WIDEST}:1`,
    })
    .default("16:9 (Landscape)"),
  turbo_mode: flag.default(turboMode.default),
  seed,
  template_id: text.optional(),
  sub_template_id: text.optional(),
  realism_lora: flag.default(false),
});

/** `POST /generate/vendor-h3` (section 4.7). */
const fields = asked.extend({
  mode: oneOf(modes).optional(),
  image_base64: text.optional(),
  reference_images: z
    .array(text, { error: COUNT })
    .min(references.min, { error: COUNT })
    .max(references.max, { error: COUNT })
    .optional(),
});

const stored = asked.extend({ mode: oneOf(modes), reference_count: z.int() });

type H3Request = z.infer<typeof asked>;

/** Text, image or references to video. */
export const vendorH3: Operation = {
  name: "vendor-h3",
  type: "vendor_h3",
  paths: ["/generate/vendor-h3", "/vendor-h3/generate"],
  group: "videoAudio",
  deletePaths: ["/vendor-h3-jobs/delete/:id"],

  async plan(body, { account, catalogues, liberties }): Promise<Plan> {
    refuseStyles(body);
    const { mode: given, image_base64, reference_images, ...request } = parseFields(fields, body);
    const longest = LONGEST[account.tier];
    if (request.duration > longest)
      throw new Refusal(
        400,
        `duration: must be a whole number from ${duration.min} to ${longest} in your tier`,
      );
    const { template } = choose(request, catalogues);
    const sent = { image: image_base64, references: reference_images };
    const mode = h3Mode(given, template !== undefined, sent);
    const pictures = await Promise.all(
      h3Pictures(mode, sent).map(([field, value]) => readPicture(field, value, STILL_SIDE, STILL_SIDE)),
    );
    allowTemplate(template, account);
    const preamble = mode === "i2v" && template ? PREAMBLE : "";
    return {
      ...h3Price(request, liberties),
      request: {
        ...request,
        prompt: preamble + request.prompt,
        seed: drawnSeed(request.seed),
        mode,
        reference_count: mode === "r2v" ? pictures.length : 0,
      },
      files: inputFiles(pictures),
    };
  },

  answer(accepted) {
    const { mode, reference_count } = requestOf(accepted);
    return {
      ...submitted(accepted),
      message: `H3 job submitted. ${accepted.cost} tokens reserved.`,
      pre_token_cost: accepted.cost,
      mode,
      reference_count,
    };
  },

  record: h3Fields,

  own: {
    paths: ["/vendor-h3-jobs/:id"],
    downloadPaths: [],
    record: async (job, result) => ({
      ...commonFields(job),
      ...requestOf(job),
      ...(await h3Fields(job, result)),
    }),
  },

  format: () => "mp4",

  task(job, dir, catalogues) {
    const request = requestOf(job);
    return {
      kind: "clip",
      dir,
      stills: inputPaths(dir),
      ...pixelsOf(request),
      duration: request.duration,
      fps: FPS,
      look: choose(request, catalogues).look ?? lookForPrompt(request.prompt),
      caption: request.prompt,
      seed: request.seed,
      fine: !request.turbo_mode,
    };
  },
};

/** What records say of an H3 job beyond the common fields (section 2.4). */
async function h3Fields(job: Job, result: Result): Promise<Record<string, unknown>> {
  const { mode, duration, megapixels, aspect_ratio } = requestOf(job);
  const { started_at, completed_at, status, cost, reserved } = job;
  const completed = status === "COMPLETED";
  return {
    mode,
    duration,
    megapixels,
    aspect_ratio,
    pre_token_cost: tokens(reserved),
    execution_time_ms: started_at === null || completed_at === null ? null : completed_at - started_at,
    billing_adjusted: completed && cost !== reserved,
    ...(completed && {
      video_url: result.url,
      result_urls: [result.url],
      ...(await inBase64("video", result, "video/mp4")),
    }),
  };
}

/** Style LoRAs follow from the template alone (rule 3). */
function refuseStyles(body: unknown): void {
  const sent = typeof body === "object" && body !== null ? forbidden.find((name) => name in body) : undefined;
  if (sent !== undefined)
    throw new Refusal(400, `${sent}: must not be sent; style LoRAs are resolved from template_id`);
}

/** @throws Refusal 400 for a template or sub-template that does not exist */
function choose(
  { template_id, sub_template_id }: H3Request,
  catalogues: Catalogues,
): { readonly template: H3Template | undefined; readonly look: Look | undefined } {
  if (template_id === undefined) {
    if (sub_template_id !== undefined) throw new Refusal(400, "sub_template_id: needs a template_id");
    return { template: undefined, look: undefined };
  }
  const template = catalogues.h3Template(template_id);
  if (!template) throw new Refusal(400, `template_id: no H3 template ${JSON.stringify(template_id)}`);
  const variant = template.variants?.find(({ id }) => id === sub_template_id);
  if (sub_template_id !== undefined && !variant)
    throw new Refusal(400, `sub_template_id: ${template.id} has no ${JSON.stringify(sub_template_id)}`);
  return { template, look: { ...template.look, ...variant?.look } };
}

function ratioOf(aspectRatio: string): number {
  const [width = 1, height = 1] = aspectRatio.split(/[: ]/).map(Number);
  return width / height;
}

function pixelsOf({ megapixels, aspect_ratio }: H3Request) {
  const height = Math.sqrt((megapixels * 1e6) / ratioOf(aspect_ratio));
  return { width: byEight(height * ratioOf(aspect_ratio)), height: byEight(height) };
}

const byEight = (side: number) => Math.round(side / 8) * 8;

function requestOf({ request }: { readonly request: StoredRequest }): z.infer<typeof stored> {
  return stored.parse(request);
}
