import { Readable } from "node:stream";
import { noteFile } from "../../../src/chat/kept-files.ts";
import type { MediaRef, UserId } from "../../../src/chat/values.ts";
import type { Services } from "../context/context.ts";

/** How the ids of files begin that are kept here; Telegram's own have no colon. */
const OWN = "file:";

/** The file in the data folder that a reference's id means; undefined for Telegram's own files. */
export function ownFile(id: string): string | undefined {
  return id.startsWith(OWN) ? id.slice(OWN.length) : undefined;
}

/** Keeps a file that was made for somebody, such as a mask. */
export async function keepFile({ host, memory }: Services, owner: UserId, bytes: Buffer): Promise<MediaRef> {
  const { id } = await host.files.put(Readable.from([bytes]), bytes.length);
  await noteFile(memory, owner, id);
  return { surface: "telegram", id: OWN + id, bytes: bytes.length };
}
