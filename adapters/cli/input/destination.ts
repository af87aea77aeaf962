import type { Stats } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { z } from "zod";
import type { Address } from "../../../src/seam/values.ts";
import { CliProblem, systemReason } from "../output/problems.ts";

/** The longest name of a file that usual file systems take, in bytes. */
const MOST_BYTES = 255;
/** A longer end of a name says nothing of what the file is. */
const MOST_END = 16;
/** What a file is called until all of it is there, behind its name. */
const PART = ".part";
/** As long as the id of a job, and longer. */
const ANY_JOB = "0".repeat(24);

const schema = z.object({
  /** Absolute. */
  folder: z.string(),
  /** Null: each file keeps the name that the core gives it, which holds the job's id. */
  file: z.string().nullable(),
  force: z.boolean(),
});

/** Where results are saved: the address of the command line, kept with the job so that another call can save it. */
export type Destination = z.infer<typeof schema>;

/** Reads an address back. */
export function destinationOf(address: Address): Destination {
  return schema.parse(address);
}

/**
 * Where a call wants its result, checked before anything is spent.
 * @param out a file, or a folder that exists; undefined: the current folder
 * @throws CliProblem `folder_missing` where nothing can be written, `file_exists` without `force`, `not_a_file` for a pipe or a device,
 * `name_unusable` where the system takes no such name, or not what is written beside it
 */
export async function chooseDestination(
  cwd: string,
  out: string | undefined,
  force: boolean,
): Promise<Destination> {
  const path = resolve(cwd, out ?? ".");
  const { found, refusal } = await lookAt(path);
  // Even by force only files are replaced: `--out /dev/null` is not to become one.
  if (found && !found.isDirectory() && !found.isFile()) throw new CliProblem("not_a_file", { path });
  if (found?.isFile() && !force) throw new CliProblem("file_exists", { path });
  const [folder, file] = found?.isDirectory() ? [path, null] : [dirname(path), basename(path)];
  if (!(await isWritableFolder(folder))) throw new CliProblem("folder_missing", { path: folder });
  const destination = { folder, file, force };
  const beside = partOf(targetOf(destination, ANY_JOB, `${ANY_JOB}.mp4`, 0));
  const cause = refusal ?? (await lookAt(beside)).refusal;
  if (cause) throw new CliProblem("name_unusable", { path, reason: systemReason(cause) }, { cause });
  return destination;
}

/** What is at a path, or why the system does not look there. */
async function lookAt(
  path: string,
): Promise<{ readonly found?: Stats; readonly refusal?: NodeJS.ErrnoException }> {
  try {
    return { found: await stat(path) };
  } catch (error) {
    const refusal = error as NodeJS.ErrnoException;
    return refusal.code === "ENOENT" ? {} : { refusal };
  }
}

async function isWritableFolder(path: string): Promise<boolean> {
  try {
    // Of a folder that may be written and not entered nothing is reached.
    await access(path, constants.W_OK | constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Where one file of a result goes. */
export interface Target {
  readonly path: string;
  /** Taken when another file has that name by then: it holds the job's id, so only that job writes it. */
  readonly spare: string;
  readonly force: boolean;
}

/**
 * Where one file of a result goes.
 * @param name what the core calls it, with the extension of its type
 * @param index its place among the files of the result: all but the first are numbered
 */
export function targetOf(
  { folder, file, force }: Destination,
  job: string,
  name: string,
  index: number,
): Target {
  if (file === null) {
    const path = join(folder, name);
    return { path, spare: path, force: true };
  }
  const { ext: end } = parse(file);
  const ext = Buffer.byteLength(end) > MOST_END ? "" : end;
  const stem = file.slice(0, file.length - ext.length);
  const number = index > 0 ? `-${index + 1}` : "";
  return {
    path: join(folder, index > 0 ? fitting(stem, `${number}${ext}`, MOST_BYTES) : file),
    spare: join(folder, fitting(stem, `-${job}${number}${ext}`, MOST_BYTES - PART.length)),
    force,
  };
}

/** Where a file is until all of it is there: nobody else writes that. */
export const partOf = ({ spare }: Target) => `${spare}${PART}`;

/** As much of a name as there is room for before its end. */
function fitting(stem: string, end: string, most: number): string {
  const kept = Array.from(stem);
  while (kept.length > 0 && Buffer.byteLength(kept.join("") + end) > most) kept.pop();
  return kept.join("") + end;
}
