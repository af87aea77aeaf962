import { extname } from "node:path";
import type { File } from "./cdn.ts";

/** A file on a person's disk. */
export interface PersonsFile extends File {
  /** Where the interaction says that it lies: elsewhere than on Discord's own host, for a forged one. */
  readonly url?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".mp4": "video/mp4",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".txt": "text/plain",
};

/** A file that a person gives as an option, in a modal or with a message. Discord goes by its name. */
export function attachment(
  bytes: Buffer,
  name: string,
  more: { readonly contentType?: string; readonly url?: string } = {},
): PersonsFile {
  const contentType = more.contentType ?? TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
  return { bytes, name, contentType, ...(more.url !== undefined && { url: more.url }) };
}

export const isFile = (value: unknown): value is PersonsFile =>
  typeof value === "object" && value !== null && "bytes" in value;
