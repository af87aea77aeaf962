import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import type { TemporaryFile } from "./temporary-file.ts";
import { streamToFile } from "./written.ts";

/** What is to be done once a file's id is known and before it can be opened by it; hears where it lies until then. */
export type BeforeKept = (id: string, path: string) => Promise<void>;

/** A file that was written: where, its SHA-256 in hex, its size, and how it gets another place. */
export type FileOnDisk = Pick<TemporaryFile, "path" | "digest" | "bytes" | "moveTo">;

/** A file that is kept. */
interface ListedFile {
  readonly id: string;
  /** When it was kept last, in milliseconds since 1970; undefined where somebody has erased it since. */
  readonly keptAt: () => Promise<number | undefined>;
}

/** Files that are kept, named by the digest of what is in them: the same picture is kept once. */
export interface MediaFiles {
  /**
   * Keeps a file. It is streamed, and never all of it in memory.
   * @param maxBytes cut off beyond this
   * @throws ReelayError `media_too_large`; `storage_down` where it cannot be kept now, as from all of these
   */
  put(source: Readable, maxBytes: number, beforeKept?: BeforeKept): Promise<{ id: string; bytes: number }>;
  /**
   * The same with a file that lies elsewhere on our disk, and is not written again where that can be: it may be gone from there.
   * @throws ReelayError `media_too_large`
   */
  adopt(file: FileOnDisk, maxBytes: number, beforeKept?: BeforeKept): Promise<{ id: string; bytes: number }>;
  /**
   * @param range first and last byte, both included
   * @throws ReelayError `media_gone`
   */
  open(id: string, range?: FileRange): Promise<Readable>;
  /** @throws ReelayError `media_gone` */
  stat(id: string): Promise<{ bytes: number }>;
  /**
   * Erases a file, unless somebody still needs the same.
   * @param forget takes away first what says that it is needed
   */
  remove(id: string, forget?: () => Promise<unknown>): Promise<void>;
  /** All of them, in any order. */
  list(): AsyncIterable<ListedFile>;
}

/** A part of a file: its first and last byte, both included, counted from 0. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** Whether somebody still needs a file. */
export type FileNeeds = (id: string) => Promise<boolean>;

/** What files are kept for: each has a room of its own. */
export type FileRoom = "media" | "partners" | "audit";

/** Where files are kept. */
export interface FileStore {
  /** @param isNeeded as for {@link openMediaFiles} */
  room(room: FileRoom, isNeeded?: FileNeeds): Promise<MediaFiles>;
  /** Makes sure that it is there. @throws ReelayError `storage_down` */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Files in a folder, each room in one of its own below it. */
export const folderStore = (dir: string): FileStore => ({
  room: (room, isNeeded) => openMediaFiles(join(dir, room), isNeeded),
  check: () =>
    access(dir, constants.W_OK).catch((cause: unknown) => {
      throw new ReelayError("storage_down", { reason: "the folder cannot be written" }, { cause });
    }),
  close: async () => {},
});

/**
 * A file's id: a SHA-256 in hex and nothing else, because what comes from a platform or a URL is never a path.
 * @throws ReelayError `media_gone` for anything else
 */
export function checkedId(id: string): string {
  if (!DIGEST.test(id)) throw new ReelayError("media_gone");
  return id;
}

/** How files are named. */
export const DIGEST = /^[0-9a-f]{64}$/;

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

  const pathOf = (id: string): string => join(dir, checkedId(id));

  async function put(source: Readable, maxBytes: number, beforeKept?: BeforeKept) {
    const unfinished = join(dir, UNFINISHED + randomUUID());
    const { digest: id, bytes } = await streamToFile(unfinished, source, { maxBytes, flush: true });
    try {
      await beforeKept?.(id, unfinished);
      await rename(unfinished, pathOf(id));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return { id, bytes };
  }

  return {
    put,

    async adopt({ path, digest: id, bytes, moveTo }, maxBytes, beforeKept) {
      if (bytes > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
      await beforeKept?.(id, path);
      try {
        await moveTo(pathOf(id));
      } catch (error) {
        // The folders may be on two disks.
        if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
        return put(createReadStream(path), maxBytes, beforeKept);
      }
      return { id, bytes };
    },

    async open(id, range) {
      const file = await open(pathOf(id)).catch(gone);
      return file.createReadStream(range);
    },

    async stat(id) {
      const { size } = await stat(pathOf(id)).catch(gone);
      return { bytes: size };
    },

    async remove(id, forget) {
      const path = pathOf(id);
      await forget?.();
      if (!(await isNeeded(id))) await rm(path, { force: true });
    },

    async *list() {
      for (const id of await readdir(dir)) {
        if (!DIGEST.test(id)) continue;
        yield { id, keptAt: async () => (await stat(pathOf(id)).catch(() => undefined))?.mtimeMs };
      }
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
