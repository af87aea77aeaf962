import { ReelayError } from "./errors.ts";

/** Why nothing can be kept on a disk without space. */
export const FULL = "the disk is full";

/** What the system says of a disk that does not take a file. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EROFS", "it cannot be written"],
  ["EIO", "the disk fails"],
]);

/** `storage_down` for a file that could not be written, else the error as it was: what reading fails of is another's. */
export function asDiskError(error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error && "code" in error) || error.syscall === "read")
    return error;
  const reason = REFUSED.get(String(error.code));
  return reason === undefined ? error : new ReelayError("storage_down", { reason }, { cause: error });
}
