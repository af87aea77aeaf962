import { access, constants, readdir } from "node:fs/promises";
import type { Check } from "../../seam/surface/runtime.ts";
import type { BackupConfig } from "../settings/upkeep.ts";
import { isOurs } from "./names.ts";

/** What the doctor says of the folder that the server makes backups in. */
export async function examineBackups({ folder }: Pick<BackupConfig, "folder">): Promise<Check> {
  try {
    await access(folder, constants.W_OK);
    const newest = (await readdir(folder)).filter(isOurs).toSorted().at(-1);
    const found = `${folder}: ${newest === undefined ? "no backup yet" : `the last one is ${newest}`}`;
    return { name: "backups", ok: true, found };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "it cannot be read";
    const advice = "Make the folder of REELAY_BACKUP_TO, writable for the user that runs Reelay.";
    return { name: "backups", ok: false, found: `${folder}: ${reason}`, advice };
  }
}
