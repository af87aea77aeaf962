import { statfs } from "node:fs/promises";
import type { Watcher } from "../../domain/alerts/watcher.ts";

/**
 * Sees that the disk under a folder is nearly full.
 * @param least bytes that are to be free
 * @param free how many are; by default what the system says
 */
export function watchDisk(
  folder: string,
  least: number,
  free: (path: string) => Promise<number> = freeAt,
): Watcher {
  return {
    async look() {
      const bytes = await free(folder);
      return bytes < least ? [{ kind: "disk_full", params: { bytes } }] : [];
    },
  };
}

/** What a process without privileges may still take, in bytes. */
async function freeAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
