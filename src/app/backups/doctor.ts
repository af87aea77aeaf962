import { access, constants, readdir } from "node:fs/promises";
import type { Check } from "../../seam/surface/runtime.ts";
import type { BackupConfig } from "../settings/upkeep.ts";
import { isOurs } from "./names.ts";
import type { BackupState } from "./state.ts";

/**
 * What the doctor says of the folder that the server makes backups in.
 * @param failed the last try, where none has succeeded since
 */
export async function examineBackups(
  { folder }: Pick<BackupConfig, "folder">,
  failed?: BackupState["failed"],
): Promise<Check> {
  try {
    await access(folder, constants.W_OK);
    const newest = (await readdir(folder)).filter(isOurs).toSorted().at(-1);
    const found = `${folder}: ${newest === undefined ? "no backup yet" : `the last one is ${newest}`}`;
    return failed ? tellFailure(found, failed) : { name: "backups", ok: true, found };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "it cannot be read";
    const advice = "Make the folder of REELAY_BACKUP_TO, writable for the user that runs Reelay.";
    return { name: "backups", ok: false, found: `${folder}: ${reason}`, advice };
  }
}

function tellFailure(found: string, { at, reason }: NonNullable<BackupState["failed"]>): Check {
  const when = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  return {
    name: "backups",
    ok: false,
    found: `${found}; the last try, at ${when} UTC, failed: ${reason}`,
    advice:
      "The server's log of that time says more. It tries again every half hour; once that is mended, a restart does so at once.",
  };
}
