import { z } from "zod";
import { IMGPRO_BOUNDS, IMGPRO_PRICE } from "../../common/contract.ts";
import { requireTier, type Account } from "../records/accounts.ts";
import { parseFields, type Multipart } from "../records/body.ts";
import { oneOf, prompt, text } from "../records/fields.ts";
import { timestamp, tokens } from "../records/formats.ts";
import { readPicture } from "../records/pictures.ts";
import type { StoredRequest } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { artSvg } from "../render/pictures/art.ts";
import { drawCollage } from "../render/pictures/collage.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { paletteForPrompt } from "../render/pictures/palettes.ts";
import { treatmentForPrompt } from "../render/pictures/treatment.ts";
import { errorMessage } from "../records/shown.ts";
import { chooseEditTemplate } from "./edit-template.ts";
import { submitted, type Operation, type Plan } from "./operation.ts";

const { images: counts, formats } = IMGPRO_BOUNDS;

/** The contract shows no values; only that reference-to-image has those of 2K alone. */
const SIZES_1K = ["1024x1024", "1536x1024", "1024x1536"] as const;
const SIZES_2K = ["2048x2048", "2304x1728", "1728x2304", "2560x1440", "1440x2560"] as const;

const COUNT = `must be ${counts.min} to ${counts.max} pictures, as base64 or data URIs`;
const images = z
  .array(z.string({ error: COUNT }), { error: COUNT })
  .min(counts.min, { error: COUNT })
  .max(counts.max, { error: COUNT });

const edit = z.strictObject({
  prompt: text.optional(),
  template_id: text.optional(),
  size: oneOf([...SIZES_1K, ...SIZES_2K]),
  output_format: oneOf(formats.choices).default(formats.default),
});

/** `POST /generate/imgpro-i2i` (section 4.9). */
const editFields = edit.extend({ images }).refine((body) => body.prompt?.trim() || body.template_id, {
  path: ["prompt"],
  error: "is required unless template_id is given",
});

const reference = z.strictObject({ prompt, size: oneOf(SIZES_2K).default("2048x2048") });

/** `POST /generate/imgpro-ref2i` (section 4.9). */
const referenceFields = reference.extend({ images });

/** What is stored of either. */
const stored = edit.extend({ mode: oneOf(["i2i", "ref2i"]) });

const multipart: Multipart = {
  files: [{ field: "images", parts: /^(imgpro_image_[0-4]|images(\[\])?)$/, list: true }],
  json: [],
};

/** What the two endpoints have in common. */
const common = {
  type: "imgpro",
  group: "image",
  deletePaths: [],
  multipart,
  answer(accepted) {
    const { job_id, status, ...amounts } = submitted(accepted);
    switch (accepted.liberties.imgproAnswer) {
      case "common":
        return {
          job_id,
          status,
          ...amounts,
          message: `Image pro job submitted. ${accepted.cost} tokens charged.`,
        };
      case "bare":
        return { success: true, job_id };
      case "id":
        return { id: job_id, status };
      default:
        return accepted.liberties.imgproAnswer satisfies never;
    }
  },
  // The unified record does not know these jobs.
  record: async () => ({}),
  own: {
    paths: ["/imgpro-jobs/:id"],
    downloadPaths: ["/imgpro-jobs/:id/image"],
    async record(job, result) {
      const { mode, size, output_format } = requestOf(job);
      const { imgproRecord } = result.liberties;
      const record = {
        [imgproRecord === "pathless" ? "job_id" : "id"]: job.id,
        status: job.status,
        progress: job.progress,
        mode,
        size,
        output_format,
        token_cost: tokens(job.cost),
        error_message: errorMessage(job),
        created_at: timestamp(job.created_at),
        completed_at: timestamp(job.completed_at),
        ...(job.status === "COMPLETED" && imgproRecord !== "pathless" && { image_url: result.url }),
      };
      return imgproRecord === "wrapped" ? { success: true, job: record } : record;
    },
  },
  format: (request) => requestOf({ request }).output_format,
  task(job, dir) {
    const { prompt = "", template_id, size } = requestOf(job);
    const template = chooseEditTemplate(template_id);
    const [width = 0, height = 0] = size.split("x").map(Number);
    const art = {
      prompt,
      seed: job.created_at,
      scene: "discs",
      palette: paletteForPrompt(prompt) ?? "lagoon",
    } as const;
    const collage = {
      inputs: inputPaths(dir),
      ground: artSvg(art, width, height),
      width,
      height,
      treatment: template?.treatment ?? treatmentForPrompt(prompt),
      caption: template?.name ?? prompt,
      seed: job.created_at,
    };
    return { kind: "picture", draw: () => drawCollage(collage) };
  },
} satisfies Partial<Operation>;

/** Image pro edit. */
export const imgproEdit: Operation = {
  ...common,
  name: "imgpro-edit",
  paths: ["/generate/imgpro-i2i"],
  async plan(body, { account }) {
    const { images, ...request } = parseFields(editFields, body);
    const template = chooseEditTemplate(request.template_id);
    if (template?.second && images.length < 2)
      throw new Refusal(400, `images: the template ${template.name} needs a second picture`);
    return plan(images, account, IMGPRO_PRICE.i2i, { ...request, mode: "i2i" });
  },
};

/** Image pro reference-to-image. */
export const imgproReference: Operation = {
  ...common,
  name: "imgpro-reference",
  paths: ["/generate/imgpro-ref2i"],
  async plan(body, { account }) {
    const { images, ...request } = parseFields(referenceFields, body);
    return plan(images, account, IMGPRO_PRICE.ref2i, { ...request, mode: "ref2i" });
  },
};

async function plan(
  images: readonly string[],
  account: Account,
  price: number,
  request: StoredRequest,
): Promise<Plan> {
  const pictures: Buffer[] = [];
  for (const [index, value] of images.entries()) {
    const field = `images.${index}`;
    if (Buffer.byteLength(value.slice(value.indexOf(",") + 1), "base64") > counts.maxBytes)
      throw new Refusal(400, `${field}: must be at most ${counts.maxBytes / 1e6} MB`);
    pictures.push(await readPicture(field, value, 1024, 1024));
  }
  requireTier(account, "pro", "Image pro");
  return { cost: Math.round(price * 100), request, files: inputFiles(pictures) };
}

function requestOf({ request }: { readonly request: StoredRequest }): z.infer<typeof stored> {
  return stored.parse(request);
}
