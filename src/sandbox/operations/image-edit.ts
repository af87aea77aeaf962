import { z } from "zod";
import { IMAGE_BOUNDS, IMAGE_EDIT_BOUNDS } from "../../common/contract.ts";
import { requireTier } from "../records/accounts.ts";
import { parseFields } from "../records/body.ts";
import { decimal, oneOf, required, seed, text, wholeFrom } from "../records/fields.ts";
import { readPicture, sizeOf, type Size } from "../records/pictures.ts";
import { imageEditPrice } from "../records/prices.ts";
import type { StoredRequest } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { drawBlend } from "../render/pictures/blend.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { treatmentForPrompt } from "../render/pictures/treatment.ts";
import { pictureRecord } from "./described.ts";
import { chooseEditTemplate } from "./edit-template.ts";
import { submitted, type Operation } from "./operation.ts";
import { drawnSeed } from "./seeds.ts";

const { models, versions, modes } = IMAGE_EDIT_BOUNDS;
const { max: maxSide } = IMAGE_BOUNDS.side;
const pixels = wholeFrom(1, maxSide);

const common = z.strictObject({
  prompt: text.optional(),
  template_id: text.optional(),
  model: oneOf(models.choices).default(models.default),
  version: oneOf(versions.choices).default(versions.default),
  v2_mode: oneOf(modes.choices).default(modes.default),
  guidance: decimal.optional(),
});

/** `POST /generate/image-edit` (section 4.5). */
const fields = common
  .extend({
    image_1_base64: required("a picture as base64 or a data URI"),
    image_2_base64: text.optional(),
    image_3_base64: text.optional(),
    width: pixels.optional(),
    height: pixels.optional(),
    seed,
  })
  .refine((body) => body.prompt?.trim() || body.template_id, {
    path: ["prompt"],
    error: "is required unless template_id is given",
  });

/** What is stored: the size and the seed are settled. */
const stored = common.extend({ width: pixels, height: pixels, seed });

/** Edits a picture, or blends up to three. */
export const imageEdit: Operation = {
  name: "image-edit",
  type: "image_edit",
  paths: ["/generate/image-edit"],
  group: "image",
  deletePaths: ["/image-edit-jobs/delete/:id"],

  async plan(body, { account }) {
    const { image_1_base64, image_2_base64, image_3_base64, ...asked } = parseFields(fields, body);
    const template = chooseEditTemplate(asked.template_id);
    if (template?.second && image_2_base64 === undefined)
      throw new Refusal(400, `image_2_base64: the template ${template.name} needs a second picture`);
    const first = await read("image_1_base64", image_1_base64);
    const pictures = [
      first,
      ...(image_2_base64 === undefined ? [] : [await read("image_2_base64", image_2_base64)]),
      ...(image_3_base64 === undefined ? [] : [await read("image_3_base64", image_3_base64)]),
    ];
    if (image_3_base64 !== undefined) requireTier(account, "ultra", "A third image");
    const request = { ...asked, ...settledSize(asked, await sizeOf(first)), seed: drawnSeed(asked.seed) };
    return { cost: imageEditPrice(request, pictures.length), request, files: inputFiles(pictures) };
  },

  answer: submitted,

  record: pictureRecord,

  format: () => "jpg",

  task(job, dir) {
    const { prompt = "", template_id, v2_mode, width, height, seed } = requestOf(job);
    const template = chooseEditTemplate(template_id);
    const blend = {
      inputs: inputPaths(dir),
      width,
      height,
      treatment: template?.treatment ?? treatmentForPrompt(prompt),
      caption: template?.name ?? prompt,
      seed,
      fine: v2_mode === "quality",
    };
    return { kind: "picture", draw: () => drawBlend(blend) };
  },
};

function read(field: string, value: string): Promise<Buffer> {
  return readPicture(field, value, maxSide, maxSide);
}

/** The size that was asked for; a side that was not follows from the first picture's shape. */
function settledSize({ width, height }: Partial<z.infer<typeof fields>>, own: Size): Size {
  const scale = width
    ? width / own.width
    : height
      ? height / own.height
      : Math.min(1, maxSide / own.width, maxSide / own.height);
  const side = (length: number) => Math.min(maxSide, Math.max(1, Math.round(length * scale)));
  return { width: width ?? side(own.width), height: height ?? side(own.height) };
}

function requestOf({ request }: { readonly request: StoredRequest }): z.infer<typeof stored> {
  return stored.parse(request);
}
