import { z } from "zod";
import { H3_BOUNDS } from "../../common/contract.ts";
import { chosen, picture, pictures, seed, words } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { imageOf } from "./order.ts";
import { byType } from "./recognition.ts";

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

const sized = z.object(shared);

/** A ratio as the request gives it. */
function ratioOf(aspect_ratio: z.output<typeof ratio> | undefined) {
  return aspect_ratio && { aspect_ratio: `${aspect_ratio} (${ASPECT_RATIOS[aspect_ratio]})` };
}

/** What the three have in common. */
const common = {
  ...byType("vendor_h3"),
  result: "video",
  group: "videoAudio",
  forbidden: ({ template }) => (template === undefined ? undefined : "premium_template"),
  // The contract gives no formula, and the service settles the price when the job is done.
  price: () => null,
  read: (api, serviceId) => api.job(serviceId),
  otherReads: [(api, serviceId) => api.h3Job(serviceId)],
  remove: (api, serviceId) => api.deleteH3Job(serviceId),
} satisfies Partial<Operation>;

function sizeOf(values: object): string {
  const { duration, megapixels = "", aspect_ratio = "", turbo_mode } = sized.parse(values);
  return `${duration} s, ${megapixels} MP, ${aspect_ratio}${turbo_mode ? ", turbo" : ""}`;
}

/** A template under the name that the request gives it; style LoRAs follow from it at the service. */
function templateOf({
  template,
  sub_template,
}: {
  template?: string | undefined;
  sub_template?: string | undefined;
}) {
  return {
    ...(template !== undefined && { template_id: template }),
    ...(sub_template !== undefined && { sub_template_id: sub_template }),
  };
}

const textSchema = z.strictObject(shared);

/** H3 from words alone. It takes no template: one would turn it into reference-to-video (rule 2). */
export const h3Text: Operation = {
  ...common,
  id: "h3-text",
  label: "operation.h3-text",
  description: "operation.h3-text.description",
  schema: textSchema,
  instead: "video-audio",
  size: (values) => sizeOf(values),
  submit(api, { values }) {
    const { aspect_ratio, ...fields } = textSchema.parse(values);
    return api.generateH3({ ...fields, ...ratioOf(aspect_ratio), mode: "t2v" });
  },
};

const imageSchema = z.strictObject({ image: picture(), ...shared, ...fromTemplate });

/** H3 from a photo. */
export const h3Image: Operation = {
  ...common,
  id: "h3-image",
  label: "operation.h3-image",
  description: "operation.h3-image.description",
  schema: imageSchema,
  instead: "video",
  size: (values) => sizeOf(values),
  submit(api, order) {
    const {
      image: _image,
      template,
      sub_template,
      aspect_ratio,
      ...fields
    } = imageSchema.parse(order.values);
    return api.generateH3({
      ...fields,
      ...ratioOf(aspect_ratio),
      ...templateOf({ template, sub_template }),
      mode: "i2v",
      image_base64: imageOf(order, "image"),
    });
  },
};

const referenceSchema = z.strictObject({
  images: pictures(references.min, references.max),
  ...shared,
  ...fromTemplate,
  realism_lora: z.boolean().default(false).meta({ advanced: true }),
});

/** H3 from reference pictures. */
export const h3Reference: Operation = {
  ...common,
  id: "h3-reference",
  label: "operation.h3-reference",
  description: "operation.h3-reference.description",
  schema: referenceSchema,
  instead: "vid3",
  size: (values) => sizeOf(values),
  submit(api, { values, images }) {
    const {
      images: _images,
      template,
      sub_template,
      aspect_ratio,
      ...fields
    } = referenceSchema.parse(values);
    return api.generateH3({
      ...fields,
      ...ratioOf(aspect_ratio),
      ...templateOf({ template, sub_template }),
      mode: "r2v",
      reference_images: images["images"] ?? [],
    });
  },
};
