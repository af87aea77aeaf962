import { statfs } from "node:fs/promises";
import type { Check } from "../../seam/surface/runtime.ts";
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

/** What the doctor says of a disk that operators are alerted to, whether anybody is told of it or not. */
export async function examineDisk(folder: string, least: number): Promise<readonly Check[]> {
  const bytes = await freeAt(folder);
  if (bytes >= least) return [];
  const [free, bound] = [bytes, least].map((of) => `${Math.floor(of / 1e6)} MB`);
  const found = `${free} are free on the disk of ${folder}, of ${bound} that are to be`;
  const advice = "Make room on it; from how much on that is told, REELAY_ALERTS_DISK_MB says.";
  return [{ name: "disk", ok: false, found, advice }];
}

/** What a process without privileges may still take, in bytes. */
async function freeAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
