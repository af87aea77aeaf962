import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux keeps it in memory. */
const MEMORY = "/dev/shm";
/** Several times what a whole run has there, in bytes. */
const ENOUGH = 4 * 2 ** 30;
const NAME = "reelay-tests-";

/**
 * Puts every temporary folder of a run into one, in memory where there is enough of it, and removes that at the run's end:
 * workers are ended by a signal, so that none of them sees its exit.
 */
export default function gatherTemporaryFolders(): () => void {
  const outer = process.env["TMPDIR"];
  const folder = (outer === undefined ? inMemory() : undefined) ?? mkdtempSync(join(tmpdir(), NAME));
  process.env["TMPDIR"] = folder;
  return () => {
    if (outer === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = outer;
    remove(folder);
  };
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** A folder in memory; undefined where there is too little of it, or where no program may be run from it, as in many containers. */
function inMemory(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH) return undefined;
    folder = mkdtempSync(join(MEMORY, NAME));
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    execFileSync(program);
    return folder;
  } catch {
    if (folder !== undefined) remove(folder);
    return undefined;
  }
}
