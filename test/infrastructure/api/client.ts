import { Readable } from "node:stream";
import {
  type EncodeMaskRequest,
  type FaceswapRequest,
  type FileSource,
  type H3Request,
  type ImgproReferenceRequest,
  MediaApi,
  type ServiceOptions,
  Transport,
  type Vid3Request,
  type VideoRequest,
} from "../../../src/infrastructure/api/media-api.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

export const KEY = "sk_live_5ecretKey0123456789abcdef";

/** No time-out comes before a test has given up. */
const PATIENT = { connectTimeoutMs: PATIENCE_MS, headersTimeoutMs: PATIENCE_MS, bodyTimeoutMs: PATIENCE_MS };

/**
 * A client that waits for nothing between its tries and writes down how long it would have.
 * @param timeouts those that are to come
 */
export function client(
  baseUrl: string,
  options: Partial<ServiceOptions> = {},
  timeouts: Partial<typeof PATIENT> = {},
) {
  const waits: number[] = [];
  const transport = new Transport({ ...PATIENT, ...timeouts });
  const api = new MediaApi({
    baseUrl,
    key: KEY,
    transport,
    retry: {
      pause: async (ms) => {
        waits.push(ms);
      },
    },
    ...options,
  });
  return { api, waits, [Symbol.asyncDispose]: () => transport.close() };
}

/** A file source that holds these bytes. */
export function file(
  content: Buffer,
  { bytes = content.length, type }: Partial<FileSource> = {},
): FileSource {
  return { bytes, type, open: () => Readable.from([content], { objectMode: false }) };
}

export const PICTURE = Buffer.from("a picture, as far as the service can tell".repeat(40));

// Requests that every check lets through.
export const VIDEO = { image_base64: file(PICTURE), prompt: "slow zoom" } satisfies VideoRequest;
export const H3 = { prompt: "slow zoom" } satisfies H3Request;
export const PICTURES = { images: [file(PICTURE)], prompt: "slow zoom" } satisfies ImgproReferenceRequest;
export const VID3 = PICTURES satisfies Vid3Request;
export const MASK = { image_base64: file(PICTURE), mask_base64: file(PICTURE) } satisfies EncodeMaskRequest;
export const FACESWAP = {
  target_base64: file(PICTURE),
  source_base64: file(PICTURE),
} satisfies FaceswapRequest;
