import { type FileNeeds } from "../infrastructure/media/files/files.ts";
import { isShared } from "../infrastructure/media/files/links.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import { isKept } from "../seam/surface/kept-files.ts";
import { PLATFORMS } from "../seam/values.ts";

/**
 * Who needs a file of the data folder: each is there once, however many people gave it on however many platforms, in
 * whichever process.
 */
export function mediaNeeds(database: Database): FileNeeds {
  return async (id) => {
    if (await isShared(memory(database, "links"), id)) return true;
    for (const surface of PLATFORMS) if (await isKept(memory(database, surface), id)) return true;
    return false;
  };
}
