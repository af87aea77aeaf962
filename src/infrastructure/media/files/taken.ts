import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { ResultMedia } from "./result-media.ts";
import { removed, temporaryFile, type TemporaryFile } from "./temporary-file.ts";
import type { WrittenFile } from "./written.ts";

/** One of a job's finished files on our disk, or a picture of it. */
export type TakenFile = Omit<WrittenFile, "bytes">;

/** A job's finished files, on our disk until they were shown. `await using` removes them. */
export interface TakenFiles extends AsyncDisposable {
  readonly files: readonly TakenFile[];
  /** Where another file may be made of one of them, which is removed with it. */
  readonly beside: (file: TakenFile, name: string) => string;
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
  const others = new Set<string>();
  making.defer(async () => void (await Promise.all([...others].map(removed))));
  const files: TemporaryFile[] = [];
  const here: ResultMedia[] = [];
  for (const one of media) {
    const { stream, type } = await one.open(signal);
    const file = await temporaryFile(join(dir, `taken-${randomUUID()}`), stream, {
      signal,
      check: (content) => one.check?.(content, type) ?? Promise.resolve(),
    });
    files.push(making.use(file));
    here.push({
      ...one,
      taken: { ...file, type },
      open: async () => ({ stream: createReadStream(file.path), type, bytes: file.bytes }),
    });
  }
  const kept = making.move();
  return {
    files,
    bytes: files.reduce((all, { bytes }) => all + bytes, 0),
    media: here,
    beside(file, name) {
      const other = `${file.path}-${name}`;
      others.add(other);
      return other;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
