import { z } from "zod";
import { IMAGE_BOUNDS, type RateGroup } from "../../common/contract.ts";
import { requireTier } from "../records/accounts.ts";
import { parseFields } from "../records/body.ts";
import { readPicture, sizeOf } from "../records/pictures.ts";
import { DESCRIBED_PRICE } from "../records/prices.ts";
import { jobType, type Job } from "../records/records.ts";
import { lookForPrompt } from "../render/drawing/looks.ts";
import { drawArt } from "../render/pictures/art.ts";
import { drawBlend } from "../render/pictures/blend.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { paletteForPrompt } from "../render/pictures/palettes.ts";
import { treatmentForPrompt } from "../render/pictures/treatment.ts";
import type { ClipTask, RenderTask } from "../render/task.ts";
import { inBase64, plainOr } from "./base64.ts";
import { submitted, type Operation, type Result } from "./operation.ts";

/** An operation without a file here, as whoever starts the sandbox describes it. */
export interface DescribedOperation {
  readonly id: string;
  /** The `type` of its jobs (section 2.4). */
  readonly type: string;
  readonly result: "video" | "image";
  readonly subscription?: "pro";
  readonly endpoint: {
    /** Its POST path below the base. */
    readonly path: string;
    readonly group: RateGroup;
    /** What it takes. */
    readonly request: z.ZodType;
  };
}

/** What the contract calls fields with pictures in them, everywhere. */
const PICTURES = /(_base64|images)$/;

/** Pixels where no picture says any, and the most. */
const { default: side, max: maxSide } = IMAGE_BOUNDS.side;

/** How clips are made for which nothing else is asked. */
const CLIP = { duration: 5, fps: 16 } as const;

/** Of what a request may hold, what changes a result. */
const stored = z.looseObject({
  prompt: z.string().default(""),
  duration: z.number().default(CLIP.duration),
  width: z.int().default(side),
  height: z.int().default(side),
});

/**
 * An operation that is done as far as its description says: requests are checked against it, pictures are read, and the
 * result is drawn from them and the prompt, at one price.
 * @param others those of one type are deleted alike
 */
export function fromDescription(
  { id, type: name, result: kind, subscription, endpoint }: DescribedOperation,
  others: readonly Operation[],
): Operation {
  const type = jobType.parse(name);
  return {
    name: id,
    type,
    paths: [endpoint.path],
    group: endpoint.group,
    deletePaths: others.find((other) => other.type === type)?.deletePaths ?? [],

    async plan(body, { account }) {
      const fields = Object.entries(z.looseObject({}).parse(parseFields(endpoint.request, body)));
      const given = fields
        .filter(([field]) => PICTURES.test(field))
        .flatMap(([field, value]) => [value].flat().map((one) => [field, String(one)] as const));
      const pictures = await Promise.all(
        given.map(([field, value]) => readPicture(field, value, maxSide, maxSide)),
      );
      if (subscription) requireTier(account, subscription, id);
      const asked = Object.fromEntries(fields.filter(([field]) => !PICTURES.test(field)));
      const size = pictures[0] && (await sizeOf(pictures[0]));
      return { cost: DESCRIBED_PRICE, request: { ...size, ...asked }, files: inputFiles(pictures) };
    },

    answer: submitted,
    record: kind === "image" ? pictureRecord : clipRecord,
    format: () => (kind === "image" ? "jpg" : "mp4"),
    task: kind === "image" ? pictureTask : clipTask,
  };
}

/** What the unified record adds for a picture (section 2.4). */
export async function pictureRecord(job: Job, result: Result): Promise<Record<string, string>> {
  if (job.status !== "COMPLETED") return {};
  return { image_url: result.url, ...(await inBase64("image", result, plainOr("image/jpeg", result))) };
}

async function clipRecord(job: Job, result: Result): Promise<Record<string, unknown>> {
  return job.status === "COMPLETED" ? { video_url: result.url, result_urls: [result.url] } : {};
}

function pictureTask(job: Job, dir: string): RenderTask {
  const { prompt, width, height } = stored.parse(job.request);
  const seed = job.created_at;
  const inputs = inputPaths(dir);
  const palette = paletteForPrompt(prompt) ?? "lagoon";
  const treatment = treatmentForPrompt(prompt);
  const blend = { inputs, width, height, treatment, caption: prompt, seed, fine: false };
  return {
    kind: "picture",
    draw: () =>
      inputs.length > 0
        ? drawBlend(blend)
        : drawArt({ prompt, seed, scene: "hills", palette }, width, height, prompt),
  };
}

function clipTask(job: Job, dir: string): ClipTask {
  const { prompt, duration, width, height } = stored.parse(job.request);
  return {
    kind: "clip",
    dir,
    stills: inputPaths(dir),
    width: even(width),
    height: even(height),
    duration,
    fps: CLIP.fps,
    look: lookForPrompt(prompt),
    caption: prompt,
    seed: job.created_at,
    fine: false,
  };
}

const even = (pixels: number) => Math.max(2, pixels - (pixels % 2));
