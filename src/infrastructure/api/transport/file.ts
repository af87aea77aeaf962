import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";

/** A file that is read only while it is sent. */
export interface FileSource {
  /** Its exact size. */
  readonly bytes: number;
  /** Its MIME type, where it is known. */
  readonly type?: string | undefined;
  /** Opens it from its beginning, each time anew: what costs nothing may be sent again. */
  open(): Readable | Promise<Readable>;
}

/** Whether a value is a file rather than JSON. */
export function isFileSource(value: unknown): value is FileSource {
  return (
    typeof value === "object" &&
    value !== null &&
    "open" in value &&
    typeof value.open === "function" &&
    "bytes" in value &&
    Number.isSafeInteger(value.bytes)
  );
}

/**
 * What is in a file.
 * @throws ReelayError `media_gone` where it does not open or breaks off, `media_unreadable` where it holds another
 * number of bytes than promised, and what the file itself throws as one
 */
export async function* contentOf(file: FileSource): AsyncGenerator<Buffer> {
  try {
    let seen = 0;
    const chunks: AsyncIterable<Buffer> = await file.open();
    for await (const chunk of chunks) {
      seen += chunk.length;
      if (seen > file.bytes) break;
      yield chunk;
    }
    if (seen !== file.bytes) throw new ReelayError("media_unreadable");
  } catch (cause) {
    throw cause instanceof ReelayError ? cause : new ReelayError("media_gone", {}, { cause });
  }
}
