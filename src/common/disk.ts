import { accessSync, constants, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import { ReelayError } from "./errors.ts";

/** Why nothing can be kept on a disk without space. */
export const FULL = "the disk is full";

/** What the system says of a disk that does not take a file. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EROFS", "it cannot be written"],
  // A file system that knows none as large, or a limit of the user's.
  ["EFBIG", "it cannot be written"],
  ["EIO", "the disk fails"],
]);

/** `storage_down` for a file that could not be written, else the error as it was: what reading fails of is another's. */
export function asDiskError(error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error && "code" in error) || error.syscall === "read")
    return error;
  const reason = REFUSED.get(String(error.code));
  return reason === undefined ? error : new ReelayError("storage_down", { reason }, { cause: error });
}

/** Whether a path is a folder itself, or somewhere below it; both are absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

/** More links than any system follows. */
const MOST_LINKS = 64;

/**
 * An absolute path without symbolic links, also of what is not there yet: then by what is around it. It asks the disk, which may not
 * answer.
 */
export function realPath(path: string, links = MOST_LINKS): string {
  try {
    return realpathSync.native(path);
  } catch {
    const target = links > 0 ? linkTarget(path) : undefined;
    if (target !== undefined) return realPath(target, links - 1);
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent, links), basename(path));
  }
}

/** Where a link leads; undefined for what is none. */
function linkTarget(path: string): string | undefined {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return undefined;
  }
}

/** As {@link isWithin}, whatever links lead there. It asks the disk, which may not answer. */
export const isReallyWithin = (folder: string, path: string) => isWithin(realPath(folder), realPath(path));

/**
 * Makes a folder with those around it, for their owner alone. Node's own `recursive` never returns where the system says
 * that there is no such place though the folder around it exists (Linux: anything below `/proc`).
 * @throws the system's error, such as EACCES, ENOENT or ENOTDIR
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** What the system says to somebody who may not write there: where Reelay was called from a folder of somebody else's, that is all. */
const NOT_YOURS: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
const WHERE_ELSE = ": go to a folder of your own and try again, or set REELAY_DATA to one";

/**
 * Makes folders where they are missing.
 * @param data the data folder, which is what can be set
 * @throws ConfigError where one of them cannot be made or written
 */
export function requireWritable(data: string, folders: readonly string[]): void {
  try {
    for (const folder of folders) {
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = code === "" ? "" : ` (${code})`;
    throw wrongFolder(
      data,
      `a folder that can be written to${reason}${NOT_YOURS.has(code) ? WHERE_ELSE : ""}`,
    );
  }
}

/** That a data folder will not do. */
export function wrongFolder(data: string, wanted: string): ConfigError {
  return new ConfigError([{ setting: "REELAY_DATA", found: JSON.stringify(data), wanted }]);
}
