import type { Readable } from "node:stream";
import type { MediaFiles } from "./files.ts";

/** Until when somebody needs a file, in milliseconds since 1970; left out: until they release it. */
export interface Hold {
  /** Whoever needs it: a request, a job. */
  readonly owner: string;
  readonly until?: number | undefined;
}

/** Files in a folder of their own that exist as long as somebody needs them. */
export interface HeldFiles extends Pick<MediaFiles, "open" | "stat"> {
  /** Streams a file to disk, held from its first moment. Bounds and errors as `MediaFiles.put`. */
  put(source: Readable, maxBytes: number, hold: Hold): Promise<{ id: string; bytes: number }>;
  /** Ends every hold of an owner; what nobody else needs is erased. */
  release(owner: string): Promise<void>;
  /** Erases what nobody needs any more. */
  sweep(): Promise<void>;
}
