import { randomUUID } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import { streamToFile, type WrittenFile } from "./written.ts";

/** What is to be done once a file's id is known and before it can be opened by it; hears where it lies until then. */
type BeforeKept = (id: string, path: string) => Promise<void>;

/** A file that was written: where, its SHA-256 in hex, and its size. */
type Kept = Pick<WrittenFile, "path" | "digest" | "bytes">;

/** Files in the data folder, named by the digest of what is in them: the same picture is kept once. */
export interface MediaFiles {
  /**
   * Streams a file to disk.
   * @param maxBytes cut off beyond this
   * @throws ReelayError `media_too_large`
   */
  put(source: Readable, maxBytes: number, beforeKept?: BeforeKept): Promise<{ id: string; bytes: number }>;
  /**
   * The same with a file that lies elsewhere on our disk, and is not written again where that can be: it may be gone from there.
   * @throws ReelayError `media_too_large`
   */
  adopt(file: Kept, maxBytes: number, beforeKept?: BeforeKept): Promise<{ id: string; bytes: number }>;
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

  async function keep({ path, digest: id, bytes }: Kept, beforeKept?: BeforeKept) {
    await beforeKept?.(id, path);
    await rename(path, pathOf(id));
    return { id, bytes };
  }

  async function put(source: Readable, maxBytes: number, beforeKept?: BeforeKept) {
    const unfinished = join(dir, UNFINISHED + randomUUID());
    const file = await streamToFile(unfinished, source, { maxBytes, flush: true });
    try {
      return await keep(file, beforeKept);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  return {
    put,

    async adopt(file, maxBytes, beforeKept) {
      if (file.bytes > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
      await flush(file.path);
      try {
        return await keep(file, beforeKept);
      } catch (error) {
        // The folders may be on two disks.
        if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
        return put(createReadStream(file.path), maxBytes, beforeKept);
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

async function flush(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
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
