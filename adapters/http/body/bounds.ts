/** What a request's body may be. Sizes are bytes, times milliseconds. */
export const BODY_BOUNDS = {
  /** All of it, as it comes. */
  bytes: 128 * 2 ** 20,
  /** One file, decoded. */
  fileBytes: 64 * 2 ** 20,
  /** The address of a file, in characters: it is kept with the job and told with everything that happens to it. */
  address: 8 * 2 ** 10,
  /** More than any operation takes. */
  files: 20,
  /** What is left of it without its files: the longest texts of several fields, and small pictures. */
  textBytes: 512 * 2 ** 10,
  /** Levels of objects and lists in one another. */
  depth: 64,
  /** Parts of a form, files included. */
  parts: 100,
  /** One text of a form: 20,000 characters (section 8.2) are at most 80,000 bytes of UTF-8. */
  partBytes: 128 * 2 ** 10,
  /** Without a byte. */
  idleMs: 30_000,
  /** From the first byte to the last. */
  wholeMs: 600_000,
} as const;

/**
 * The most that a body may have in memory, in bytes: its files go to the disk as they come.
 * @param length its `Content-Length`; where it does not say, it may be as long as is taken
 * @param max how long its text may be
 */
export function mostInMemory(length: string | undefined, max: number = BODY_BOUNDS.textBytes): number {
  return Math.min(Number(length ?? max), max);
}
