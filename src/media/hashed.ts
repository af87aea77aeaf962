import { createHash } from "node:crypto";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * A file as it was, whose end comes once its SHA-256 was dealt with.
 * @param atEnd is given it as hex; what it throws is how the file ends
 */
export function hashed(file: Readable, atEnd: (digest: string) => Promise<void> | void): Readable {
  const hash = createHash("sha256");
  const read = new PassThrough();
  // What goes wrong is told by the stream that is read.
  pipeline(
    file,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
      await atEnd(hash.digest("hex"));
    },
    read,
  ).catch(() => undefined);
  return read;
}
