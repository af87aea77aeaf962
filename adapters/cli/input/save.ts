import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import { fileName } from "../../../src/infrastructure/media/files/file-name.ts";
import { digestOf } from "../../../src/infrastructure/media/files/hashed.ts";
import { partOf, type Target } from "./destination.ts";
import { CliProblem, systemReason } from "../output/problems.ts";

/**
 * Saves one file of a result: beside its place first, so that a file is there whole or not at all.
 * @param targetOf where it goes, by the name that it has by its type
 * @returns the path that it has now
 * @throws CliProblem `not_saved` when the disk refuses, whatever it says; what the service's side throws goes through
 */
export async function saveMedia(
  media: ResultMedia,
  targetOf: (name: string, type: string) => Target,
  signal: AbortSignal,
): Promise<string> {
  const { stream, type } = await media.open(signal);
  return saveStream(stream, targetOf(fileName(media, type), type));
}

/**
 * Saves what a stream brings. Returns and errors as for {@link saveMedia}.
 * @param target where it goes
 */
export async function saveStream(stream: Readable, target: Target): Promise<string> {
  const part = partOf(target);
  try {
    await write(stream, part, target);
    const path = (await isFree(target, part)) ? target.path : target.spare;
    await rename(part, path).catch(notSaved(path));
    return path;
  } catch (error) {
    // What its folder refuses, it refuses here, too: that would stand in the place of what is to be told.
    await rm(part, { force: true }).catch(() => {});
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Written piece by piece, so that a full disk can be told from a broken download; which is said of the file that is wanted. */
async function write(stream: Readable, part: string, { path }: Target): Promise<void> {
  const file = await open(part, "w").catch(notSaved(path));
  try {
    for await (const piece of stream as AsyncIterable<Buffer>)
      await file.writeFile(piece).catch(notSaved(path));
    await file.sync().catch(notSaved(path));
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
  await file.close().catch(notSaved(path));
}

/** Whether the wanted name may be taken: a result delivered twice finds its own file there. */
async function isFree({ path, force }: Target, part: string): Promise<boolean> {
  const taken = await stat(path).catch(() => undefined);
  if (!taken?.isFile()) return taken === undefined;
  if (force) return true;
  const { size } = await stat(part).catch(notSaved(path));
  if (taken.size !== size) return false;
  // One that may not be read is another's.
  const there = await digestOf(createReadStream(path)).catch(() => undefined);
  return there === (await digestOf(createReadStream(part)).catch(notSaved(path)));
}

function notSaved(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    throw new CliProblem("not_saved", { path, reason: systemReason(cause) }, { cause });
  };
}
