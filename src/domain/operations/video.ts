import { z } from "zod";
import type { Values } from "../../seam/values.ts";
import { VIDEO_BOUNDS } from "../../common/contract.ts";
import { GENERATE } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { chosen, picture, seed, words } from "./fields.ts";
import { compare } from "./likeness.ts";
import { imageOf } from "./order.ts";
import { shownBy } from "./recognition.ts";

const { duration, steps, cfg, orientations, qualities } = VIDEO_BOUNDS;

const schema = z
  .strictObject({
    image: picture(),
    prompt: words().optional().meta({ unless: "template" }),
    template: chosen("video-templates").optional(),
    sub_template: chosen("video-templates", "template").optional(),
    duration: z.int().min(duration.min).max(duration.max).default(duration.default),
    /** Left out, it follows the photo. */
    orientation: z.enum(orientations).optional(),
    video_quality: z.enum(qualities).optional().meta({ advanced: true }),
    end_image: picture()
      .optional()
      .meta({ control: "image", advanced: true, when: { field: "video_quality", is: "new" } }),
    steps: z.literal(steps.choices).default(steps.default).meta({ advanced: true }),
    cfg: z.number().positive().default(cfg.default).meta({ advanced: true }),
    seed: seed(),
    negative_prompt: words().optional().meta({ advanced: true }),
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

/** What the reusable settings show of an order (section 2.7): the prompt is the custom one, shown when no template was used. */
function visible({ prompt, template, sub_template, duration, auto_upscale }: Values) {
  return [
    template ? null : (prompt ?? null),
    template ?? null,
    sub_template ?? null,
    duration ?? null,
    Boolean(auto_upscale),
  ];
}

/** Image-to-video: the primary video model (section 4.3). */
export const video = described({
  id: "video",
  type: "video",
  result: "video",
  schema,
  endpoint: GENERATE.video,
  sentAs: { image: "image_base64", end_image: "end_image_base64", template: "lora_template" },
  instead: "h3-image",
  size: sizeOf,

  also: ({ orientation }, order) => ({
    platform: order.tags.platform,
    in_app_username: order.tags.inAppUsername,
    orientation: orientation ?? imageOf(order, "image").orientation,
    result_type: "url",
  }),

  fingerprint: (values) => JSON.stringify(visible(values)),

  async likeness(api, { id }, values) {
    const settings = await shownBy(() => api.jobSettings(id));
    if (!settings) return "possible";
    const { prompt, lora_template, sub_template, duration, raw } = settings;
    const shown = [
      values["template"] ? null : prompt,
      lora_template,
      sub_template,
      duration,
      raw["auto_upscale"],
    ];
    return compare(visible(values), shown);
  },

  async sizeOf(api, { id }) {
    const { duration, auto_upscale } = await api.jobSettings(id);
    return sizeOf({ duration: duration ?? VIDEO_BOUNDS.duration.default, auto_upscale });
  },
});
