import { addressOf } from "../../infrastructure/media/bucket/connect.ts";
import type { FilesPlace } from "./files.ts";

/** A place as people write it, without what opens it. */
export function nameOf(place: FilesPlace): string {
  return "bucket" in place ? addressOf(place.bucket) : `file:${place.folder}`;
}
