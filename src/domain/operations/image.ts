import { z } from "zod";
import { IMAGE_BOUNDS } from "../../common/contract.ts";
import { chosen, seed, words } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { byType } from "./recognition.ts";

const { side, guidance, steps, model } = IMAGE_BOUNDS;

const length = () => z.int().min(1).max(side.max).default(side.default);

const schema = z.strictObject({
  prompt: words().meta({ called: "picture_prompt" }),
  model: chosen("image-models").default(model.default),
  style: chosen("image-styles").optional(),
  width: length(),
  height: length(),
  guidance: z.number().positive().default(guidance.default).meta({ advanced: true }),
  steps: z.int().min(1).default(steps.default).meta({ advanced: true }),
  seed: seed(),
});

/** Text-to-image (section 4.6). */
export const image: Operation = {
  ...byType("image"),
  id: "image",
  label: "operation.image",
  description: "operation.image.description",
  result: "image",
  schema,
  group: "image",
  // Nothing else makes a picture from words alone.
  instead: "video-audio",

  forbidden: () => undefined,

  // The contract gives no formula for this endpoint.
  price: () => null,

  size(values) {
    const { model, style = "no style", width, height, steps } = schema.parse(values);
    return `${width}x${height}, ${steps} steps, ${model}, ${style}`;
  },

  submit(api, { values }) {
    const { style, steps, ...fields } = schema.parse(values);
    return api.generateImage({
      ...fields,
      num_inference_steps: steps,
      ...(style !== undefined && { lora_template: style }),
    });
  },

  read: (api, serviceId) => api.job(serviceId),

  remove: (api, serviceId) => api.deleteImageJob(serviceId),
};
