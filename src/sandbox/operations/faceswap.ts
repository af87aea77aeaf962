import { z } from "zod";
import { requireTier } from "../records/accounts.ts";
import { parseFields } from "../records/body.ts";
import { required } from "../records/fields.ts";
import { timestamp, tokens } from "../records/formats.ts";
import { readPicture } from "../records/pictures.ts";
import { FACESWAP_PRICE } from "../records/prices.ts";
import type { Job } from "../records/records.ts";
import { drawFaceswap, MAX_SIDE } from "../render/pictures/faceswap.ts";
import { inputFiles, inputPaths } from "../render/pictures/inputs.ts";
import { errorMessage } from "../records/shown.ts";
import { withoutAliases } from "./aliases.ts";
import { inBase64 } from "./base64.ts";
import { submitted, type Operation, type Result } from "./operation.ts";
import { drawnSeed } from "./seeds.ts";

const ALIASES = { body_base64: "target_base64", face_base64: "source_base64" };
/** The request has no such choices, but its records show them. */
const CHOSEN = { steps: 8, auto_caption: false };

const picture = required("a picture as base64 or a data URI");

/** `POST /generate/faceswap` (section 4.10). */
const fields = z.strictObject({ target_base64: picture, source_base64: picture });

const stored = z.strictObject({ seed: z.int(), steps: z.int(), auto_caption: z.boolean() });

/** Puts the face of one picture into another. */
export const faceswap: Operation = {
  name: "faceswap",
  type: "faceswap",
  paths: ["/generate/faceswap"],
  group: "faceswap",
  deletePaths: ["/faceswap-jobs/delete/:id"],

  async plan(body, { account }) {
    const { target_base64, source_base64 } = parseFields(fields, withoutAliases(body, ALIASES));
    const target = await readPicture("target_base64", target_base64, MAX_SIDE, MAX_SIDE);
    const source = await readPicture("source_base64", source_base64, MAX_SIDE, MAX_SIDE);
    requireTier(account, "pro", "Faceswap");
    return {
      cost: FACESWAP_PRICE,
      request: { seed: drawnSeed(), ...CHOSEN },
      files: inputFiles([target, source]),
    };
  },

  answer: (accepted) => ({ ...submitted(accepted), status_url: accepted.statusUrl }),

  async record(job, result) {
    return job.status === "FAILED" ? {} : { ...stored.parse(job.request), ...(await pictureOf(job, result)) };
  },

  own: {
    paths: ["/faceswap/:id"],
    downloadPaths: [],
    async record(job, result) {
      return {
        job_id: job.id,
        status: job.status,
        token_cost: tokens(job.cost),
        ...stored.parse(job.request),
        error_message: errorMessage(job),
        created_at: timestamp(job.created_at),
        completed_at: timestamp(job.completed_at),
        ...(await pictureOf(job, result)),
      };
    },
  },

  format: () => "jpg",

  task(_, dir) {
    const [target = "", source = ""] = inputPaths(dir);
    return { kind: "picture", draw: () => drawFaceswap(target, source, "face swap") };
  },
};

async function pictureOf(job: Job, result: Result): Promise<Record<string, string>> {
  if (job.status !== "COMPLETED") return {};
  return { image_url: result.url, ...(await inBase64("image", result, "image/jpeg")) };
}
