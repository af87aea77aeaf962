import { rename, unlink } from "node:fs/promises";
import type { Readable } from "node:stream";
import { openWritten, type WriteOptions, type WrittenFile } from "./written.ts";

/** A file that is there for a moment, unless it is kept for good. `await using` removes it. */
export interface TemporaryFile extends WrittenFile, AsyncDisposable {
  /**
   * Gives it another name for good: there it outlives a power cut, and is not removed with this.
   * @throws the system's error, such as EXDEV for a place on another disk: it is where it was then
   */
  readonly moveTo: (path: string) => Promise<void>;
}

/**
 * Writes one, in no folder of its own: making and removing that costs more than the file. Each call to the disk asks another
 * thread, so that it stays open until it is moved or removed, and is flushed without being opened again.
 * @param path in a folder that is made where it is missing
 * @throws as `streamToFile`
 */
export async function temporaryFile(
  path: string,
  source: Readable,
  options: Omit<WriteOptions, "flush" | "makeFolder"> = {},
): Promise<TemporaryFile> {
  const { handle, ...file } = await openWritten(path, source, { ...options, makeFolder: true });
  let isMoved = false;
  return {
    ...file,
    async moveTo(to) {
      await handle.sync();
      // Windows gives an open file no other name.
      await handle.close();
      await rename(path, to);
      isMoved = true;
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      if (!isMoved) await removed(path);
    },
  };
}

/** Removes a file; nothing, where there is none. */
export async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
}
