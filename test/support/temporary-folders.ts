import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Puts every temporary folder of a run into one, and removes that at the run's end: workers are ended by a signal, so
 * that none of them sees its exit.
 */
export default function gatherTemporaryFolders(): () => void {
  const outer = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "reelay-tests-"));
  process.env["TMPDIR"] = folder;
  return () => {
    if (outer === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = outer;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
