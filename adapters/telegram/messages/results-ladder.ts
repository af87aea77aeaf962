import type { ResultFile } from "../../../src/media/result-file.ts";
import { meaningOf } from "../api/errors.ts";
import {
  asDocument,
  asLink,
  asPhoto,
  asSmallerVideo,
  asVideo,
  type Posting,
  type Posted,
  type Way,
} from "./results-ways.ts";
import { uploadLimit } from "../media/upload.ts";

/** The ways for each kind of file, best first. The original goes below its picture. */
const WAYS = {
  video: [asVideo, asDocument, asSmallerVideo, asLink],
  image: [asPhoto, asDocument, asLink],
  original: [asDocument, asLink],
} as const satisfies Record<string, readonly Way[]>;

/**
 * Posts a file in the best form that Telegram takes.
 * @returns undefined when it takes none
 * @throws whatever is not about the file, such as a chat that cannot be reached
 */
export async function postFile(
  kind: keyof typeof WAYS,
  posting: Posting,
  file: ResultFile,
): Promise<Posted | undefined> {
  let limit = uploadLimit(posting.services);
  for (const way of WAYS[kind]) {
    try {
      const posted = await way(posting, file, limit);
      if (posted) return posted;
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning !== "refused" && meaning !== "file_too_large") throw error;
      // What a server of somebody else's takes is only known from its refusal.
      if (meaning === "file_too_large") limit = Math.min(limit, file.bytes - 1);
      posting.services.host.log.warn(
        { err: error },
        "Telegram refused a result in one form; trying the next",
      );
    }
  }
  return undefined;
}
