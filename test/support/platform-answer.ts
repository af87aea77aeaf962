import { Readable } from "node:stream";
import type { PlatformAnswer } from "../../adapters/kit/files/request.ts";

/** What a platform's server answers instead of a file. */
export function noFile(status: number, headers: PlatformAnswer["headers"] = {}): PlatformAnswer {
  const body = Object.assign(Readable.from([]), { text: async () => "", dump: async () => {} });
  return { status, headers, body };
}
