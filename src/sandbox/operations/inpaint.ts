import { join } from "node:path";
import { z } from "zod";
import { parseFields } from "../records/body.ts";
import { decimal, prompt, required, seed, text, whole } from "../records/fields.ts";
import { readExactPicture } from "../records/pictures.ts";
import { INPAINT_PRICE } from "../records/prices.ts";
import { artSvg } from "../render/pictures/art.ts";
import { drawInpaint } from "../render/pictures/inpaint.ts";
import { paletteForPrompt } from "../render/pictures/palettes.ts";
import { withoutAliases } from "./aliases.ts";
import { imageEdit } from "./image-edit.ts";
import type { Operation } from "./operation.ts";
import { drawnSeed } from "./seeds.ts";

const PICTURE = "input.png";
const MASK = "mask.png";

const stored = z.strictObject({
  prompt,
  negative_prompt: text.optional(),
  steps: whole("a whole number from 1", (value) => value >= 1).optional(),
  cfg: decimal.optional(),
  seed,
});

/** `POST /generate/image-inpaint` (section 4.12). */
const fields = stored.extend({
  image_base64: required("a picture as base64 or a data URI"),
  mask_base64: required("a picture as base64 or a data URI, white where the other is made anew"),
});

/** Draws anew what a mask marks; its jobs are image edits in every other way. */
export const inpaint: Operation = {
  ...imageEdit,
  name: "inpaint",
  paths: ["/generate/image-inpaint"],

  async plan(body) {
    const given = parseFields(fields, withoutAliases(body, { image_1_base64: "image_base64" }));
    const { image_base64, mask_base64, ...asked } = given;
    return {
      cost: INPAINT_PRICE,
      request: { ...asked, seed: drawnSeed(asked.seed), mode: "inpaint" },
      files: {
        [PICTURE]: await readExactPicture("image_base64", image_base64),
        [MASK]: await readExactPicture("mask_base64", mask_base64),
      },
    };
  },

  answer: ({ id, cost, statusUrl }) => ({
    success: true,
    job_id: id,
    status: "IN_PROGRESS",
    mode: "inpaint",
    token_cost: cost,
    status_url: statusUrl,
  }),

  // No other format keeps what the mask leaves out to the bit.
  format: () => "png",

  task(job, dir) {
    const { prompt, seed } = stored.extend({ mode: text }).parse(job.request);
    const art = { prompt, seed, scene: "hills", palette: paletteForPrompt(prompt) ?? "meadow" } as const;
    const draw = (width: number, height: number) => artSvg(art, width, height);
    return {
      kind: "picture",
      draw: () => drawInpaint(join(dir, PICTURE), join(dir, MASK), draw, prompt),
    };
  },
};
