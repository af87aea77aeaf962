import { createReadStream, type ReadStream } from "node:fs";
import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { warmUp } from "../decoder/decoder.ts";
import { temporaryFolder, streamToFile, type WrittenFile } from "./written.ts";

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
export interface ReceivedFile extends WrittenFile, AsyncDisposable {
  /** Where other files may be made of it. */
  readonly folder: string;
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
  await using making = new AsyncDisposableStack();
  const folder = making.use(await temporaryFolder(dir, "file-"));
  const opening = open();
  // Starting a process takes a moment, in which nothing else is begun.
  warmUp();
  const file = await streamToFile(join(folder.path, "original"), await opening, { maxBytes });
  const kept = making.move();
  return { ...file, folder: folder.path, [Symbol.asyncDispose]: () => kept.disposeAsync() };
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
