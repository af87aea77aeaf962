import { Readable } from "node:stream";
import { MediaApi, type ServiceOptions, Transport, type VideoRequest } from "../../src/api/media-api.ts";

export const KEY = "sk_live_5ecretKey0123456789abcdef";

/** A client with short time-outs that waits for nothing between its tries and writes down how long it would have. */
export function client(baseUrl: string, options: Partial<ServiceOptions> = {}) {
  const waits: number[] = [];
  const transport = new Transport({ connectTimeoutMs: 150, headersTimeoutMs: 150, bodyTimeoutMs: 150 });
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
export function file(content: Buffer, bytes = content.length) {
  return { bytes, open: () => Readable.from([content], { objectMode: false }) };
}

export const PICTURE = Buffer.from("a picture, as far as the service can tell".repeat(40));

/** A request that every check lets through. */
export const VIDEO = { image_base64: file(PICTURE), prompt: "slow zoom" } satisfies VideoRequest;
