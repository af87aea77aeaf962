import { fileURLToPath, pathToFileURL } from "node:url";
import { type BucketPlace, readBucketAddress } from "../../infrastructure/media/bucket/place.ts";

/** Where files are kept: in a folder, or in a bucket. */
export type FilesPlace = { readonly folder: string } | { readonly bucket: BucketPlace };

/** The folder of `file:/shared/folder`; undefined for anything else. */
function readFolderAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "file:" || url.search || url.hash || !text.startsWith("file:/")) return undefined;
  // Files of ours among everything that there is are nobody's wish.
  if (url.pathname === "/") return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    // It is on another machine.
    return undefined;
  }
}

/** Whether a place for files is meant. */
export const isFilesPlace = (text: string) =>
  readFolderAddress(text) !== undefined || readBucketAddress(text) !== undefined;

/** Where files are kept by the settings, which lack nothing. */
export function filesPlaceOf(given: {
  readonly REELAY_FILES?: string | undefined;
  readonly REELAY_DATA: string;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
}): FilesPlace {
  const { REELAY_FILES: place = "", AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = given;
  const bucket = readBucketAddress(place);
  if (!bucket) return { folder: readFolderAddress(place) ?? given.REELAY_DATA };
  const keys = { accessKeyId: AWS_ACCESS_KEY_ID ?? "", secretAccessKey: AWS_SECRET_ACCESS_KEY ?? "" };
  return { bucket: { ...bucket, ...keys } };
}

/** The data folder, and where files are kept. */
export interface FilesIn {
  readonly data: string;
  readonly files: FilesPlace;
}

/** What is remembered of files in the data folder, wherever that is by now. */
export const IN_DATA = "data";

/** A place as `REELAY_FILES` takes it. */
export function settingOf(place: FilesPlace): string {
  if ("folder" in place) return pathToFileURL(place.folder).href;
  const { bucket, prefix, endpoint, region } = place.bucket;
  const at = endpoint === undefined ? "" : `endpoint=${endpoint}&`;
  return `s3://${bucket}/${prefix}?${at}region=${region}`;
}
