import { createHash, type Hash } from "node:crypto";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { limited } from "./limited.ts";

/** A step of a pipeline that lets everything through, and adds it to a digest. */
function hashing(hash: Hash): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
}

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
    hashing(hash),
    async function* (chunks: AsyncIterable<Buffer>) {
      yield* chunks;
      await atEnd(hash.digest("hex"));
    },
    read,
  ).catch(() => undefined);
  return read;
}

/**
 * SHA-256 of a file, in hex.
 * @param maxBytes the largest file read
 * @throws ReelayError `media_too_large`; what reading it throws
 */
export async function digestOf(file: Readable, maxBytes = Infinity): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(file, limited(maxBytes), hash);
  return hash.digest("hex");
}
