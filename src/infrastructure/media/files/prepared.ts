import { createReadStream, type ReadStream } from "node:fs";
import { randomUUID } from "node:crypto";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import { warmUp } from "../decoder/decoder.ts";
import { removed } from "./temporary-file.ts";
import { streamToFile, type WrittenFile } from "./written.ts";

/** A file that is ready to be sent, among temporary files. */
export interface PreparedFile {
  readonly path: string;
  /** Its exact size. */
  readonly bytes: number;
  open(): ReadStream;
  /** Removes it. */
  dispose(): Promise<void>;
}

/** A file as somebody gave it, among temporary files. `await using` removes it. */
export interface ReceivedFile extends WrittenFile, AsyncDisposable {
  /** Where another file may be made of it, which is removed with it. */
  beside(name: string): string;
}

/**
 * Copies a file that a person gave; of a failure nothing is left.
 * @param open opens the file; what it throws is passed on
 * @param dir a folder for temporary files, made where it is missing
 * @param maxBytes the largest file taken
 * @throws ReelayError `media_too_large` with `max` in bytes; `media_empty`
 */
export async function receiveFile(
  open: () => Promise<Readable>,
  dir: string,
  maxBytes: number,
): Promise<ReceivedFile> {
  const path = join(dir, `file-${randomUUID()}`);
  const opening = open();
  // Starting a process takes a moment, in which nothing else is begun.
  warmUp();
  const file = await streamToFile(path, await opening, {
    maxBytes,
    makeFolder: true,
    async check({ bytes }) {
      if (bytes === 0) throw new ReelayError("media_empty");
    },
  });
  // No folder of its own: making and removing one costs more than the file.
  const paths = new Set([path]);
  return {
    ...file,
    beside(name) {
      const other = `${path}-${name}`;
      paths.add(other);
      return other;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...paths].map(removed));
    },
  };
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
    const path = original.beside("prepared");
    const facts = await make(original, path);
    await chmod(path, 0o600);
    await removed(original.path);
    const { size: bytes } = await stat(path);
    return { ...facts, path, bytes, open: () => createReadStream(path), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
