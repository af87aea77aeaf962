import { join } from "node:path";
import type { ResultMedia } from "./result-media.ts";
import { fileName } from "./file-name.ts";
import { temporaryFolder, streamToFile } from "./written.ts";

/** A finished file on our disk, in a folder where other forms of it may be made. */
export interface ResultFile {
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
  /** What it is saved under. */
  readonly name: string;
  /** Its MIME type, as the service announced it. */
  readonly type: string;
}

/** Where a finished file is kept while it is being posted. */
export interface DownloadOptions {
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
  /** Gives the download up. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Streams a finished file to the disk for as long as it is used: its size and what is in it must be known before it
 * leaves. Nothing of it is left afterwards, whatever happens.
 */
export async function withResultFile<T>(
  media: ResultMedia,
  { dir, signal }: DownloadOptions,
  use: (file: ResultFile) => Promise<T>,
): Promise<T> {
  await using folder = await temporaryFolder(dir, "result-");
  const { stream, type } = await media.open(signal);
  const { path, bytes } = await streamToFile(join(folder.path, "result"), stream, { signal });
  return await use({ folder: folder.path, path, bytes, name: fileName(media, type), type });
}
