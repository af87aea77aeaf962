/** What the system says of a disk that does not take what is to be stored. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"]);

/** The same in the words of what draws: ffmpeg and libvips have no codes. */
const WORDS = /No space left on device|Disk quota exceeded|Read-only file system|File too large/;

/** Whether it is the database or the disk that failed, not what was asked of them. */
export function isOfStorage(error: unknown): boolean {
  return error instanceof Error && ("errcode" in error || "syscall" in error || WORDS.test(error.message));
}

/** Whether something could not be stored, though it could be once the disk takes it. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return "errcode" in error || ("code" in error && CODES.has(error.code)) || WORDS.test(error.message);
}
