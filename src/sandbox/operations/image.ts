import { z } from "zod";
import { IMAGE_BOUNDS } from "../../common/contract.ts";
import { parseFields } from "../records/body.ts";
import { IMAGE_MODELS, type ImageModel } from "../catalogues/image-models.ts";
import { decimal, prompt, seed, text, whole, wholeFrom } from "../records/fields.ts";
import { imagePrice } from "../records/prices.ts";
import type { StoredRequest } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { drawArt } from "../render/pictures/art.ts";
import { paletteForPrompt } from "../render/pictures/palettes.ts";
import { inBase64, plainOr } from "./base64.ts";
import { submitted, type Operation } from "./operation.ts";
import { drawnSeed } from "./seeds.ts";

const { model, side, guidance, steps } = IMAGE_BOUNDS;
const pixels = wholeFrom(1, side.max).default(side.default);

/** `POST /generate/image` (section 4.6). */
const fields = z.strictObject({
  prompt,
  model: text.default(model.default),
  lora_template: text.optional(),
  width: pixels,
  height: pixels,
  guidance: decimal.default(guidance.default),
  seed,
  num_inference_steps: whole("a whole number from 1", (value) => value >= 1).default(steps.default),
});

/** Text-to-image. */
export const image: Operation = {
  name: "image",
  type: "image",
  paths: ["/generate/image"],
  group: "image",
  deletePaths: ["/image-jobs/delete/:id"],

  async plan(body) {
    const asked = parseFields(fields, body);
    choose(asked);
    const request = { ...asked, seed: drawnSeed(asked.seed) };
    return { cost: imagePrice(request), request, files: {} };
  },

  answer: submitted,

  async record(job, result) {
    if (job.status === "FAILED") return {};
    const { model, guidance, seed, width, height } = requestOf(job);
    return {
      model_id: model,
      guidance,
      seed,
      width,
      height,
      ...(job.status === "COMPLETED" && {
        image_url: result.url,
        ...(await inBase64("image", result, plainOr("image/jpeg", result))),
      }),
    };
  },

  format: () => "jpg",

  task(job) {
    const request = requestOf(job);
    const { prompt, seed, width, height } = request;
    const { model, lora } = choose(request);
    const palette = lora?.palette ?? paletteForPrompt(prompt) ?? model.palette;
    const art = { prompt, seed, scene: model.scene, palette };
    return { kind: "picture", draw: () => drawArt(art, width, height, prompt) };
  },
};

/** @throws Refusal 400 for a model that does not exist, or is no LoRA where one is asked for */
function choose({ model, lora_template }: z.infer<typeof fields>) {
  return {
    model: find("model", model, IMAGE_MODELS),
    lora:
      lora_template === undefined
        ? undefined
        : find(
            "lora_template",
            lora_template,
            IMAGE_MODELS.filter(({ lora }) => lora),
          ),
  };
}

function find(field: string, id: string, models: readonly ImageModel[]): ImageModel {
  const model = models.find((entry) => entry.id === id);
  if (!model) throw new Refusal(400, `${field}: no such image model ${JSON.stringify(id)}`);
  return model;
}

function requestOf({ request }: { readonly request: StoredRequest }): z.infer<typeof fields> {
  return fields.parse(request);
}
