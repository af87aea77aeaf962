import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, type ReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, open as openFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { warmUp } from "../decoder/decoder.ts";
import { hashing } from "./hashed.ts";
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

/** A file as somebody gave it, in a temporary folder of its own. `await using` removes both. */
export interface ReceivedFile extends AsyncDisposable {
  readonly path: string;
  /** Where other files may be made of it. */
  readonly folder: string;
  /** By its first bytes; undefined where they say nothing. */
  readonly kind: string | undefined;
  /** Its SHA-256, in hex. */
  readonly digest: string;
}

/**
 * Copies a file that a person gave; of a failure nothing is left.
 * @param open opens the file; what it throws is passed on
 * @param dir a folder for temporary files, made where it is missing
 * @param maxBytes the largest file taken
 * @throws ReelayError `media_too_large` with `max` in bytes
 */
export async function receiveFile(
  open: () => Promise<Readable>,
  dir: string,
  maxBytes: number,
): Promise<ReceivedFile> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dir, "file-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "original");
    const opening = open();
    // Starting a process takes a moment, in which nothing else is begun.
    warmUp();
    const hash = createHash("sha256");
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(await opening, limited(maxBytes), hashing(hash), file);
    const facts = { kind: await kindOf(path), digest: hash.digest("hex") };
    return { path, folder, ...facts, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/**
 * Copies a file that a person gave and makes another one of it; of a failure nothing is left.
 * @param make writes the prepared file, and says what is known of it
 * @throws ReelayError as {@link receiveFile}
 */
export async function prepareFile<Facts extends object>(
  open: () => Promise<Readable>,
  dir: string,
  maxBytes: number,
  make: (original: ReceivedFile, prepared: string) => Promise<Facts>,
): Promise<PreparedFile & Facts> {
  const original = await receiveFile(open, dir, maxBytes);
  const dispose = async () => original[Symbol.asyncDispose]();
  try {
    const path = join(original.folder, "prepared");
    const facts = await make(original, path);
    await chmod(path, 0o600);
    await rm(original.path, { force: true });
    const { size: bytes } = await stat(path);
    return { ...facts, path, bytes, open: () => createReadStream(path), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** What a file is by its first bytes; undefined where they say nothing. */
export async function kindOf(path: string): Promise<string | undefined> {
  await using file = await openFile(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SNIFF_BYTES) });
  return sniff(buffer.subarray(0, bytesRead));
}
