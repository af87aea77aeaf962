import { createReadStream, createWriteStream, type ReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, open as openFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { limited } from "./limited.ts";
import { sniff, SNIFF_BYTES } from "./sniff.ts";

/** A file that is ready to be sent, in a temporary folder of its own. */
export interface PreparedFile {
  readonly path: string;
  /** Its exact size. */
  readonly bytes: number;
  open(): ReadStream;
  /** Removes it. */
  dispose(): Promise<void>;
}

/** A file as it was given, and where the one that is sent goes. */
export interface Draft {
  readonly original: string;
  /** By its first bytes; undefined where they say nothing. */
  readonly kind: string | undefined;
  readonly prepared: string;
}

/**
 * Copies a file that a person gave and makes another one of it; of a failure nothing is left.
 * @param open opens the file; what it throws is passed on
 * @param dir a folder for temporary files, made where it is missing
 * @param maxBytes the largest file taken
 * @param make writes the prepared file, and says what is known of it
 * @throws ReelayError `media_too_large` with `max` in bytes
 */
export async function prepareFile<Facts extends object>(
  open: () => Promise<Readable>,
  dir: string,
  maxBytes: number,
  make: (draft: Draft) => Promise<Facts>,
): Promise<PreparedFile & Facts> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dir, "file-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const original = join(folder, "original");
    await pipeline(await open(), limited(maxBytes), createWriteStream(original, { mode: 0o600 }));
    const path = join(folder, "prepared");
    const facts = await make({ original, kind: await kindOf(original), prepared: path });
    await chmod(path, 0o600);
    await rm(original, { force: true });
    const { size: bytes } = await stat(path);
    return { ...facts, path, bytes, open: () => createReadStream(path), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function kindOf(path: string): Promise<string | undefined> {
  await using file = await openFile(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SNIFF_BYTES) });
  return sniff(buffer.subarray(0, bytesRead));
}
