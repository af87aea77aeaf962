import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ResultMedia } from "./result-media.ts";
import { hashing } from "./hashed.ts";
import { kindOf } from "./prepared.ts";

/** One of a job's finished files on our disk. */
export interface TakenFile {
  readonly path: string;
  /** By its first bytes; undefined where they say nothing. */
  readonly kind: string | undefined;
  /** Its SHA-256, in hex. */
  readonly digest: string;
}

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
 * @throws what opening and reading them throws; the signal's AbortError
 */
export async function takeFiles(
  media: readonly ResultMedia[],
  { dir, signal }: { readonly dir: string; readonly signal: AbortSignal },
): Promise<TakenFiles> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dir, "taken-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const files: TakenFile[] = [];
    const here: ResultMedia[] = [];
    let all = 0;
    for (const [index, one] of media.entries()) {
      const path = join(folder, String(index));
      const { stream, type } = await one.open(signal);
      const hash = createHash("sha256");
      await pipeline(stream, hashing(hash), createWriteStream(path, { mode: 0o600 }), { signal });
      const { size: bytes } = await stat(path);
      all += bytes;
      files.push({ path, kind: await kindOf(path), digest: hash.digest("hex") });
      here.push({ ...one, open: async () => ({ stream: createReadStream(path), type, bytes }) });
    }
    return { folder, files, bytes: all, media: here, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
