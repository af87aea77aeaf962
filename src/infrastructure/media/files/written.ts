import { createHash } from "node:crypto";
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import { asDiskError } from "../../../common/disk.ts";
import { sniff, SNIFF_BYTES } from "./sniff.ts";

/** What is written at once, in bytes: each time another thread is asked. */
const WRITE_BYTES = 2 ** 16;

/** A file that was written, and what was learned of it on the way. */
export interface WrittenFile {
  readonly path: string;
  /** Its exact size. */
  readonly bytes: number;
  /** By its first bytes; undefined where they say nothing. */
  readonly kind: string | undefined;
  /** Its SHA-256, in hex. */
  readonly digest: string;
}

/** What is in a file that was just written: it is looked into without being opened again. */
export interface WrittenContent {
  /** What it begins with: 64 KiB or more, all of a smaller one. */
  readonly start: Buffer;
  /** Its exact size. */
  readonly bytes: number;
  /** Reads a part of it: fewer bytes where it ends before. */
  readonly read: (at: number, bytes: number) => Promise<Buffer>;
}

/** How a file is written. */
export interface WriteOptions {
  /** The largest file taken. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it outlives a power cut from then on. */
  readonly flush?: boolean;
  /** Whether its folder is made where it is missing. */
  readonly makeFolder?: boolean;
  /** Looks at it once all of it is there; what it throws is how writing it fails. */
  readonly check?: ((content: WrittenContent) => Promise<void>) | undefined;
}

/**
 * Streams something to a new file that only its owner can read. Of a failure nothing is left.
 * @throws ReelayError `media_too_large` with `max` in bytes, `storage_down` where the disk does not take it; what reading the source throws; the signal's AbortError
 */
export async function streamToFile(
  path: string,
  source: Readable,
  options: WriteOptions = {},
): Promise<WrittenFile> {
  const { handle, ...file } = await openWritten(path, source, options);
  await handle.close().catch((error: unknown) => undone(path, error));
  return file;
}

/** The same with a file that stays open for whoever asks, to be closed by them. */
export async function openWritten(
  path: string,
  source: Readable,
  { flush = false, makeFolder = false, check, ...options }: WriteOptions,
): Promise<WrittenFile & { readonly handle: FileHandle }> {
  // It may fail before it is read: that is told where it is.
  source.on("error", () => {});
  let handle: FileHandle | undefined;
  try {
    const opened = () => open(path, "w+", 0o600);
    const file = (handle = await (makeFolder ? madeIn(dirname(path), opened) : opened()));
    const { start, digest, bytes } = await write(file, source, options);
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    };
    await check?.({ start, bytes, read });
    if (flush) await file.sync();
    return { path, handle, bytes, digest, kind: sniff(start.subarray(0, SNIFF_BYTES)) };
  } catch (error) {
    source.destroy();
    await handle?.close().catch(() => undefined);
    return undone(path, error);
  }
}

/** Writes all that comes, and nothing more than is allowed. */
async function write(
  file: FileHandle,
  source: Readable,
  { maxBytes = Infinity, signal }: Pick<WriteOptions, "maxBytes" | "signal">,
): Promise<{ readonly start: Buffer; readonly bytes: number; readonly digest: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  let start: Buffer | undefined;
  for await (const piece of inPieces(signal ? addAbortSignal(signal, source) : source)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
    hash.update(piece);
    start ??= piece;
    await file.writeFile(piece);
  }
  return { start: start ?? Buffer.alloc(0), bytes, digest: hash.digest("hex") };
}

/** Removes what could not be written as it should be. */
async function undone(path: string, error: unknown): Promise<never> {
  await rm(path, { force: true });
  throw asDiskError(error);
}

/** What comes, in pieces of {@link WRITE_BYTES} and more, and the rest. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < WRITE_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** A folder that is there for a moment. `await using` removes it with all that is in it. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes one.
 * @param dir where, made where it is missing
 * @param prefix how its name begins
 * @throws ReelayError `storage_down` where the disk does not take it
 */
export async function temporaryFolder(dir: string, prefix: string): Promise<TemporaryFolder> {
  const path = await madeIn(dir, () => mkdtemp(join(dir, prefix))).catch((error: unknown) => {
    throw asDiskError(error);
  });
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

/** Makes something in a folder, which is made itself where it is missing. */
async function madeIn<T>(dir: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return make();
  }
}

/** In a third of the calls that removing anything whatever takes. */
async function remove(folder: string): Promise<void> {
  try {
    const names = await readdir(folder);
    await Promise.all(names.map((name) => unlink(join(folder, name))));
    await rmdir(folder);
  } catch {
    // Another folder is in it, or something was made or removed meanwhile.
    await rm(folder, { recursive: true, force: true });
  }
}
