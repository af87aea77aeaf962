import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceHost } from "../../../src/chat/host.ts";

/** Another shard's process may be at work: only what nobody can be using any more is swept away. */
const ABANDONED_MS = 3_600_000;

/** The folder for files that are needed for a moment. */
export const scratchOf = ({ config }: Pick<SurfaceHost, "config">) => join(config.data, "scratch", "discord");

/** Removes what killed processes left there. */
export async function sweepScratch(host: Pick<SurfaceHost, "config">): Promise<void> {
  const dir = scratchOf(host);
  const names = await readdir(dir).catch(() => []);
  for (const path of names.map((name) => join(dir, name))) {
    const left = await stat(path).catch(() => undefined);
    if (left && left.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
