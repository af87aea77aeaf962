import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReelayError } from "../../../common/errors.ts";
import { asDiskError } from "../../../common/disk.ts";
import { sniff, SNIFF_BYTES } from "./sniff.ts";

/** A file that was written, and what was learned of it on the way. */
export interface WrittenFile {
  readonly path: string;
  /** Its exact size. */
  readonly bytes: number;
  /** By its first bytes; undefined where they say nothing. */
  readonly kind: string | undefined;
  /** Its SHA-256, in hex. */
  readonly digest: string;
}

/** How a file is written. */
export interface WriteOptions {
  /** The largest file taken. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it outlives a power cut from then on. */
  readonly flush?: boolean;
}

/**
 * Streams something to a new file that only its owner can read. Of a failure nothing is left.
 * @throws ReelayError `media_too_large` with `max` in bytes, `storage_down` where the disk does not take it; what reading the source throws; the signal's AbortError
 */
export async function streamToFile(
  path: string,
  source: Readable,
  { maxBytes = Infinity, signal, flush = false }: WriteOptions = {},
): Promise<WrittenFile> {
  const target = createWriteStream(path, { mode: 0o600, flush });
  const hash = createHash("sha256");
  let bytes = 0;
  let head = Buffer.alloc(0);
  // One step for all: each takes its turn for every chunk.
  async function* learning(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
      hash.update(chunk);
      if (head.length < SNIFF_BYTES) head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)]);
      yield chunk;
    }
  }
  try {
    await pipeline(source, learning, target, { ...(signal && { signal }) });
    return { path, bytes, kind: sniff(head), digest: hash.digest("hex") };
  } catch (error) {
    // A stream that was destroyed while it was opening makes its file all the same, a moment later.
    if (!target.closed) await new Promise<void>((resolve) => target.once("close", () => resolve()));
    await rm(path, { force: true });
    throw asDiskError(error);
  }
}

/** A folder that is there for a moment. `await using` removes it with all that is in it. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes one.
 * @param dir where, made where it is missing
 * @param prefix how its name begins
 * @throws ReelayError `storage_down` where the disk does not take it
 */
export async function temporaryFolder(dir: string, prefix: string): Promise<TemporaryFolder> {
  const making = async () => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return mkdtemp(join(dir, prefix));
  };
  const path = await making().catch((error: unknown) => {
    throw asDiskError(error);
  });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
