import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceHost } from "../../../src/chat/host.ts";
import type { Platform } from "../../../src/chat/values.ts";

/** Another process may be at work: only what nobody can be using any more is swept away, in milliseconds. */
const ABANDONED_MS = 3_600_000;

/** The folder for a platform's files that are needed for a moment. */
export const scratchOf = ({ config }: Pick<SurfaceHost, "config">, platform: Platform) =>
  join(config.data, "scratch", platform);

/**
 * Removes what killed processes left in such a folder.
 * @param age of what is removed, at least, in milliseconds; 0 where one process at a time runs a platform
 */
export async function sweepScratch(dir: string, age: number = ABANDONED_MS): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  for (const path of names.map((name) => join(dir, name))) {
    const left = await stat(path).catch(() => undefined);
    if (left && left.mtimeMs <= Date.now() - age) await rm(path, { recursive: true, force: true });
  }
}
