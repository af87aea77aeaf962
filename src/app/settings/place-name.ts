import { pathToFileURL } from "node:url";
import { addressOf } from "../../infrastructure/media/bucket/connect.ts";
import type { FilesPlace } from "./files.ts";

/** The data folder, and where files are kept. */
export interface FilesIn {
  readonly data: string;
  readonly files: FilesPlace;
}

/** What is remembered of files in the data folder, wherever that is by now. */
export const IN_DATA = "data";

/** A place as people write it, without what opens it. */
export function nameOf(place: FilesPlace): string {
  return "bucket" in place ? addressOf(place.bucket) : `file:${place.folder}`;
}

/** A place as `REELAY_FILES` takes it. */
export function settingOf(place: FilesPlace): string {
  if ("folder" in place) return pathToFileURL(place.folder).href;
  const { bucket, prefix, endpoint, region } = place.bucket;
  const at = endpoint === undefined ? "" : `endpoint=${endpoint}&`;
  return `s3://${bucket}/${prefix}?${at}region=${region}`;
}
