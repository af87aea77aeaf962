import { createReadStream } from "node:fs";
import type { MediaFiles } from "./files.ts";
import type { Links } from "./links.ts";
import type { ResultFile } from "./result-file.ts";

/** How long a link to a result works, in milliseconds. */
export const LINK_MS = 7 * 24 * 3_600_000;

/** Where files are kept, and how people reach them. */
interface Sharing {
  readonly config: { readonly publicUrl: string | undefined };
  readonly files: MediaFiles;
  readonly links: Links;
}

/**
 * Keeps a finished file on our own server for {@link LINK_MS}, for whoever has its address.
 * @returns its address; undefined where people cannot reach the server
 */
export async function shareResult(
  { config, files, links }: Sharing,
  { path, bytes, name, type }: ResultFile,
): Promise<string | undefined> {
  if (config.publicUrl === undefined) return undefined;
  const { id } = await files.put(createReadStream(path), bytes);
  return config.publicUrl + (await links.make({ id, name, type }, LINK_MS));
}
