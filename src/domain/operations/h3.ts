import { z } from "zod";
import { H3_BOUNDS } from "../../common/contract.ts";
import { GENERATE, type MediaApi } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { chosen, picture, pictures, seed, words } from "./fields.ts";

/*
 * H3 video is one endpoint with three modes (section 4.7). They take different things, so that a person is
 * offered three operations, each with a form of its own; the mode is always sent, so that the service never
 * has to guess it from a template.
 */

const { duration, references, turboMode } = H3_BOUNDS;

/** Ratios, and the label that the contract wants behind each: "<w>:<h> (<label>)". */
const ASPECT_RATIOS = {
  "16:9": "Landscape",
  "9:16": "Portrait",
  "1:1": "Square",
  "4:3": "Classic landscape",
  "3:4": "Classic portrait",
  "21:9": "Cinema",
} as const;

const ratio = z.enum(Object.keys(ASPECT_RATIOS) as (keyof typeof ASPECT_RATIOS)[]);

const shared = {
  prompt: words(),
  /** The least that every tier allows. */
  duration: z.int().min(duration.min).max(duration.max).default(duration.min),
  aspect_ratio: ratio.optional(),
  megapixels: z.number().positive().optional().meta({ advanced: true }),
  turbo_mode: z.boolean().default(turboMode.default).meta({ advanced: true }),
  seed: seed(),
};

const fromTemplate = {
  template: chosen("h3-templates").optional(),
  sub_template: chosen("h3-templates", "template").optional(),
};

type Shared = z.output<z.ZodObject<typeof shared>>;

/** What the three have in common. The contract gives no formula, and the service settles the price when the job is done. */
const common = {
  type: "vendor_h3",
  result: "video",
  endpoint: GENERATE.h3,
  size: ({ duration, megapixels, aspect_ratio, turbo_mode }: Shared) =>
    `${duration} s, ${megapixels ?? ""} MP, ${aspect_ratio ?? ""}${turbo_mode ? ", turbo" : ""}`,
  otherReads: [(api: MediaApi, serviceId: string) => api.h3Job(serviceId)],
} as const;

/** The mode, and the ratio as the request gives it. */
function modeWith(mode: "t2v" | "i2v" | "r2v") {
  return ({ aspect_ratio }: Shared) => ({
    mode,
    ...(aspect_ratio && { aspect_ratio: `${aspect_ratio} (${ASPECT_RATIOS[aspect_ratio]})` }),
  });
}

/** A template under the name that the request gives it; style LoRAs follow from it at the service. */
const templateNames = { template: "template_id", sub_template: "sub_template_id" } as const;

/** H3 from words alone. It takes no template: one would turn it into reference-to-video (rule 2). */
export const h3Text = described({
  ...common,
  id: "h3-text",
  schema: z.strictObject(shared),
  instead: "video-audio",
  also: modeWith("t2v"),
});

/** H3 from a photo. */
export const h3Image = described({
  ...common,
  id: "h3-image",
  schema: z.strictObject({ image: picture(), ...shared, ...fromTemplate }),
  sentAs: { image: "image_base64", ...templateNames },
  instead: "video",
  also: modeWith("i2v"),
});

/** H3 from reference pictures. */
export const h3Reference = described({
  ...common,
  id: "h3-reference",
  schema: z.strictObject({
    images: pictures(references.min, references.max),
    ...shared,
    ...fromTemplate,
    realism_lora: z.boolean().default(false).meta({ advanced: true }),
  }),
  sentAs: { images: "reference_images", ...templateNames },
  instead: "vid3",
  also: modeWith("r2v"),
});
