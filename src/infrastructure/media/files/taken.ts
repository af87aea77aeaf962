import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { ResultMedia } from "./result-media.ts";
import { temporaryFolder, streamToFile, type WrittenFile } from "./written.ts";

/** One of a job's finished files on our disk, or a picture of it. */
export type TakenFile = Omit<WrittenFile, "bytes">;

/** A job's finished files, on our disk until they were shown. `await using` removes them. */
export interface TakenFiles extends AsyncDisposable {
  /** Where other files may be made of them. */
  readonly folder: string;
  readonly files: readonly TakenFile[];
  /** Of all together. */
  readonly bytes: number;
  /** The same files, to be posted. */
  readonly media: readonly ResultMedia[];
}

/**
 * Fetches a job's finished files: what is looked at is what is shown. Of a failure nothing is left.
 * @param dir a folder for temporary files, made where it is missing
 * @throws what opening, reading and checking them throws; the signal's AbortError
 */
export async function takeFiles(
  media: readonly ResultMedia[],
  { dir, signal }: { readonly dir: string; readonly signal: AbortSignal },
): Promise<TakenFiles> {
  await using making = new AsyncDisposableStack();
  const folder = making.use(await temporaryFolder(dir, "taken-"));
  const files: WrittenFile[] = [];
  const here: ResultMedia[] = [];
  for (const [index, one] of media.entries()) {
    const { stream, type } = await one.open(signal);
    const file = await streamToFile(join(folder.path, String(index)), stream, { signal });
    await one.check?.(file.path, type);
    files.push(file);
    here.push({
      ...one,
      taken: { ...file, type },
      open: async () => ({ stream: createReadStream(file.path), type, bytes: file.bytes }),
    });
  }
  const kept = making.move();
  return {
    folder: folder.path,
    files,
    bytes: files.reduce((all, { bytes }) => all + bytes, 0),
    media: here,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
