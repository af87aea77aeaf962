import { randomUUID } from "node:crypto";
import type { ReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import { streamToFile } from "./written.ts";

/** Files in the data folder, named by the digest of what is in them: the same picture is kept once. */
export interface MediaFiles {
  /**
   * Streams a file to disk.
   * @param maxBytes cut off beyond this
   * @param beforeKept what is to be done once the id is known and before the file can be opened by it; hears where it lies
   * until then
   * @throws ReelayError `media_too_large`
   */
  put(
    source: Readable,
    maxBytes: number,
    beforeKept?: (id: string, path: string) => Promise<void>,
  ): Promise<{ id: string; bytes: number }>;
  /**
   * @param range first and last byte, both included
   * @throws ReelayError `media_gone`
   */
  open(id: string, range?: { start: number; end: number }): Promise<ReadStream>;
  /** @throws ReelayError `media_gone` */
  stat(id: string): Promise<{ bytes: number }>;
  /** Erases a file, unless somebody still needs the same. */
  remove(id: string): Promise<void>;
}

/** Whether somebody still needs a file. */
export type FileNeeds = (id: string) => Promise<boolean>;

const UNFINISHED = "unfinished-";
/** Another process of ours may be writing: only what nothing can be writing any more is swept away. */
const ABANDONED_MS = 3_600_000;

/**
 * Opens a folder of media files, made where it is missing, and removes what a crash left half written.
 * @param isNeeded asked before a file is erased; left out: whoever removes one is the only one who needed it
 */
export async function openMediaFiles(
  dir: string,
  isNeeded: FileNeeds = async () => false,
): Promise<MediaFiles> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await sweep(dir);

  /** A SHA-256 in hex and nothing else: what comes from a platform or a URL is never a path. */
  const pathOf = (id: string): string => {
    if (!/^[0-9a-f]{64}$/.test(id)) throw new ReelayError("media_gone");
    return join(dir, id);
  };

  return {
    async put(source, maxBytes, beforeKept) {
      const unfinished = join(dir, UNFINISHED + randomUUID());
      const { digest: id, bytes } = await streamToFile(unfinished, source, { maxBytes, flush: true });
      try {
        await beforeKept?.(id, unfinished);
        await rename(unfinished, pathOf(id));
        return { id, bytes };
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },

    async open(id, range) {
      const file = await open(pathOf(id)).catch(gone);
      return file.createReadStream(range);
    },

    async stat(id) {
      const { size } = await stat(pathOf(id)).catch(gone);
      return { bytes: size };
    },

    async remove(id) {
      const path = pathOf(id);
      if (!(await isNeeded(id))) await rm(path, { force: true });
    },
  };
}

function gone(cause: unknown): never {
  throw new ReelayError("media_gone", {}, { cause });
}

async function sweep(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(UNFINISHED));
  for (const path of names.map((name) => join(dir, name))) {
    // Another process may have finished it meanwhile.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { force: true });
  }
}
