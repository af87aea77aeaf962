import { Readable } from "node:stream";
import type { MediaRef } from "../../src/chat/values.ts";
import type { MediaFiles } from "../../src/media/files.ts";

/** How the ids of files begin that are kept here; Telegram's own have no colon. */
const OWN = "file:";

/** The file in the data folder that a reference's id means; undefined for Telegram's own files. */
export function ownFile(id: string): string | undefined {
  return id.startsWith(OWN) ? id.slice(OWN.length) : undefined;
}

/** Keeps a file that was made here, such as a mask. */
export async function keepFile(files: MediaFiles, bytes: Buffer): Promise<MediaRef> {
  const { id } = await files.put(Readable.from([bytes]), bytes.length);
  return { surface: "telegram", id: `${OWN}${id}`, bytes: bytes.length };
}
