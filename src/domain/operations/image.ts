import { z } from "zod";
import { IMAGE_BOUNDS } from "../../common/contract.ts";
import { GENERATE } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { chosen, seed, words } from "./fields.ts";

const { side, guidance, steps, model } = IMAGE_BOUNDS;

const length = () => z.int().min(1).max(side.max).default(side.default);

/** Text-to-image (section 4.6). */
export const image = described({
  id: "image",
  type: "image",
  result: "image",
  schema: z.strictObject({
    prompt: words().meta({ called: "picture_prompt" }),
    model: chosen("image-models").default(model.default),
    style: chosen("image-styles").optional(),
    width: length(),
    height: length(),
    guidance: z.number().positive().default(guidance.default).meta({ advanced: true }),
    steps: z.int().min(1).default(steps.default).meta({ advanced: true }),
    seed: seed(),
  }),
  endpoint: GENERATE.image,
  sentAs: { style: "lora_template", steps: "num_inference_steps" },
  // Nothing else makes a picture from words alone.
  instead: "video-audio",
  size: ({ model, style = "no style", width, height, steps }) =>
    `${width}x${height}, ${steps} steps, ${model}, ${style}`,
});
