import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Which other processes have a file open, by their ids; Linux alone tells. */
export function holdersOf(path: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && openedBy(pid).includes(path));
}

function openedBy(pid: number): string[] {
  const folder = join("/proc", String(pid), "fd");
  return namesIn(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It has ended meanwhile, or is another user's.
    return [];
  }
}
