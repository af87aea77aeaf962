import type { MediaFiles } from "../media/files.ts";
import type { Memory } from "./surface.ts";
import type { UserId } from "./values.ts";

const KEPT = "draft-file:";
const keptKey = (owner: UserId, file: string) => `${KEPT}${owner}:${file}`;

/** Notes a file in the data folder as somebody's: jobs that are asked for again need it until they are forgotten. */
export async function noteFile(memory: Memory, owner: UserId, file: string): Promise<void> {
  await memory.set(keptKey(owner, file), file);
}

/** Erases every file that is somebody's, but those that are somebody else's as well. */
export async function forgetFiles(memory: Memory, files: MediaFiles, owner: UserId): Promise<void> {
  const kept = (await memory.entries<string>()).filter(([key]) => key.startsWith(KEPT));
  for (const [key, id] of kept.filter(([key, id]) => key === keptKey(owner, id))) {
    await memory.delete(key);
    if (!kept.some(([other, file]) => other !== key && file === id)) await files.remove(id);
  }
}
