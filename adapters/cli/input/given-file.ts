import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CliProblem } from "../output/problems.ts";

/** A file that a call names, by its absolute path. */
interface GivenFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Looks whether what a call names can be read as a file, before anything is opened: a pipe would be waited for.
 * @throws CliProblem `file_missing`, `not_a_file` for a folder, a pipe, a socket or a device, `file_unreadable`
 */
export async function givenFile(cwd: string, name: string): Promise<GivenFile> {
  const path = resolve(cwd, name);
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new CliProblem("not_a_file", { path });
    await access(path, constants.R_OK);
    return { path, bytes: found.size };
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new CliProblem("file_missing", { path });
    throw new CliProblem("file_unreadable", { path, reason: code }, { cause: error });
  }
}
