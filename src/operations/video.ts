import { z } from "zod";
import { SEED, VIDEO_BOUNDS } from "../contract.ts";
import { picture } from "./fields.ts";
import type { Operation } from "./operation.ts";

const { duration, steps, cfg, orientations, qualities } = VIDEO_BOUNDS;

/** The contract bounds only vid3's prompt, "about 20,000 characters" (section 4.8); longer ones are no use anywhere. */
const PROMPT_LENGTH = 20_000;

const schema = z
  .strictObject({
    image: picture(),
    prompt: z.string().trim().min(1).max(PROMPT_LENGTH).optional().meta({ unless: "template" }),
    template: z.string().min(1).optional().meta({ control: "catalogue", catalogue: "video-templates" }),
    sub_template: z
      .string()
      .min(1)
      .optional()
      .meta({ control: "catalogue", catalogue: "video-templates", within: "template" }),
    duration: z.int().min(duration.min).max(duration.max).default(duration.default),
    /** Left out, it follows the photo. */
    orientation: z.enum(orientations).optional(),
    video_quality: z.enum(qualities).optional().meta({ advanced: true }),
    end_image: picture()
      .optional()
      .meta({ control: "image", advanced: true, when: { field: "video_quality", is: "new" } }),
    steps: z.literal(steps.choices).default(steps.default).meta({ advanced: true }),
    cfg: z.number().positive().default(cfg.default).meta({ advanced: true }),
    seed: z.int().min(SEED.random).optional().meta({ advanced: true }),
    negative_prompt: z.string().max(PROMPT_LENGTH).optional().meta({ advanced: true }),
    auto_upscale: z.boolean().default(false).meta({ advanced: true }),
  })
  .refine((values) => values.prompt ?? values.template, { path: ["prompt"] })
  .refine((values) => values.template ?? !values.sub_template, { path: ["template"] })
  .refine((values) => !values.end_image || values.video_quality === "new", {
    path: ["video_quality"],
    error: "new",
  });

type VideoValues = z.output<typeof schema>;

/** Price and duration depend on these; what an earlier job's records do not show is taken for the default. */
function sizeOf(values: Pick<VideoValues, "duration" | "auto_upscale"> & Partial<VideoValues>): string {
  const { duration, steps = VIDEO_BOUNDS.steps.default, video_quality = "default", auto_upscale } = values;
  return `${duration} s, ${steps} steps, ${video_quality}${auto_upscale ? ", upscaled" : ""}`;
}

/** What the reusable settings show of a job (section 2.7): the prompt is the custom one, shown when no template was used. */
function visible(
  settings: Readonly<Record<"prompt" | "template" | "sub_template" | "duration" | "auto_upscale", unknown>>,
) {
  const { prompt, template, sub_template, duration, auto_upscale } = settings;
  return JSON.stringify([
    template ? null : (prompt ?? null),
    template ?? null,
    sub_template ?? null,
    duration ?? null,
    Boolean(auto_upscale),
  ]);
}

/** Image-to-video: the primary video model (section 4.3). */
export const video: Operation = {
  id: "video",
  label: "operation.video",
  description: "operation.video.description",
  result: "video",
  schema,
  group: "video",
  type: "video",
  listed: true,

  // The contract gives no formula for this endpoint.
  price: () => null,

  size: (values) => sizeOf(schema.parse(values)),

  submit(api, { values, images, tags }) {
    const { image: _image, end_image: _end, template, ...fields } = schema.parse(values);
    const { image, end_image } = images;
    if (!image) throw new Error("The photo was not prepared.");
    return api.generateVideo({
      ...fields,
      ...tags,
      image_base64: image,
      ...(end_image && { end_image_base64: end_image }),
      ...(template !== undefined && { lora_template: template }),
      orientation: fields.orientation ?? image.orientation,
      result_type: "url",
    });
  },

  read: (api, serviceId) => api.job(serviceId),

  fingerprint: ({ prompt, template, sub_template, duration, auto_upscale }) =>
    visible({ prompt, template, sub_template, duration, auto_upscale }),

  async fingerprintOf(api, serviceId) {
    const { prompt, lora_template, sub_template, duration, auto_upscale } = await api.jobSettings(serviceId);
    return visible({ prompt, template: lora_template, sub_template, duration, auto_upscale });
  },

  async sizeOf(api, serviceId) {
    const { duration, auto_upscale } = await api.jobSettings(serviceId);
    return sizeOf({ duration: duration ?? VIDEO_BOUNDS.duration.default, auto_upscale });
  },

  remove: (api, serviceId) => api.deleteVideoJob(serviceId),
};
