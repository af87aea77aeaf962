import type { Readable } from "node:stream";
import type { ReadStream } from "node:fs";

/** Files in the data folder, named by the digest of what is in them: the same picture is kept once. */
export interface MediaFiles {
  /**
   * Streams a file to disk.
   * @param maxBytes cut off beyond this
   * @throws ReelayError `media_too_large`
   */
  put(source: Readable, maxBytes: number): Promise<{ id: string; bytes: number }>;
  /** @throws ReelayError `media_gone` */
  open(id: string, range?: { start: number; end: number }): Promise<ReadStream>;
  /** @throws ReelayError `media_gone` */
  stat(id: string): Promise<{ bytes: number }>;
  remove(id: string): Promise<void>;
}
