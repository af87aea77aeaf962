import type { FileSource, REQUESTS } from "../../../../src/infrastructure/api/media-api.ts";
import { asReelayError, type ErrorCode, type Params } from "../../../../src/common/errors.ts";
import { client, FACESWAP, file, H3, MASK, PICTURE, PICTURES, VID3, VIDEO } from "../client.ts";
import { json, serve } from "../server.ts";

/** Requests that every check lets through, by method. */
const VALID = {
  generateVideo: VIDEO,
  generateVideoAudio: { prompt: "rain" },
  generateH3: H3,
  generateVid3: VID3,
  generateImage: { prompt: "a fox" },
  generateImageEdit: { image_1_base64: VIDEO.image_base64, prompt: "blue" },
  generateInpaint: { ...MASK, prompt: "a hat" },
  generateImgproEdit: { ...PICTURES, size: "1024x1024" },
  generateImgproReference: PICTURES,
  generateFaceswap: FACESWAP,
  encodeMask: MASK,
  registerTemplate: { id: "z", name: "Z", prompt: "zoom", category: "Camera", is_mature: false },
  registerH3Template: { id: "d", name: "D", is_mature: false, release_date: "2026-06-01" },
  jobs: {},
  h3Templates: {},
} as const satisfies Record<keyof typeof REQUESTS, object>;

type Method = keyof typeof VALID;

/** What comes of a valid request with a change: it is sent, or refused before anything is. */
export async function outcome(
  method: Method,
  change: object,
): Promise<"sent" | readonly [ErrorCode, Params]> {
  await using server = await serve(
    json({ job_id: "a", jobs: [], image_base64: "aQ==", mask_base64: "bQ==" }),
  );
  await using used = client(server.baseUrl);
  // What a caller without types may pass.
  const call = used.api[method].bind(used.api) as (request: object) => Promise<unknown>;
  try {
    await call({ ...VALID[method], ...change });
    return "sent";
  } catch (error) {
    if (server.requests.length > 0) throw error;
    const { code, params } = asReelayError(error);
    return [code, params];
  }
}

// How a request is refused: {@link outcome} names the field, and what would fit.
export const required = (field: string) => ["field_required", { field }] as const;
export const unknown = (name: string) => ["field_unknown", { name }] as const;
export const invalid = (field: string, wanted?: string) =>
  ["field_invalid", wanted === undefined ? { field } : { field, wanted }] as const;
export const range = (field: string, min: number, max: number) =>
  ["field_out_of_range", { field, min, max }] as const;
export const count = (field: string, min: number, max: number) =>
  ["field_count", { field, min, max }] as const;

/** So many files. */
export const pictures = (number: number) => Array.from({ length: number }, () => file(PICTURE));

/** A file that claims to have so many bytes. */
export const sized = (bytes: number, type?: string): FileSource => ({ ...file(PICTURE), bytes, type });
