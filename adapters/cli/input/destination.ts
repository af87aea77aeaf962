import { access, constants, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { z } from "zod";
import type { Address } from "../../../src/seam/values.ts";
import { CliProblem } from "../output/problems.ts";

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
 * @throws CliProblem `folder_missing` where nothing can be written, `file_exists` without `force`, `not_a_file` for a pipe or a device
 */
export async function chooseDestination(
  cwd: string,
  out: string | undefined,
  force: boolean,
): Promise<Destination> {
  const path = resolve(cwd, out ?? ".");
  const found = await stat(path).catch(() => undefined);
  // Even by force only files are replaced: `--out /dev/null` is not to become one.
  if (found && !found.isDirectory() && !found.isFile()) throw new CliProblem("not_a_file", { path });
  if (found?.isFile() && !force) throw new CliProblem("file_exists", { path });
  const [folder, file] = found?.isDirectory() ? [path, null] : [dirname(path), basename(path)];
  if (!(await isWritableFolder(folder))) throw new CliProblem("folder_missing", { path: folder });
  return { folder, file, force };
}

async function isWritableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
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
  const { name: stem, ext } = parse(file);
  const number = index > 0 ? `-${index + 1}` : "";
  return {
    path: join(folder, `${stem}${number}${ext}`),
    spare: join(folder, `${stem}-${job}${number}${ext}`),
    force,
  };
}
