import { Readable } from "node:stream";
import { keepFile } from "../../../src/seam/surface/kept-files.ts";
import { type MediaRef, platformOf, type UserId } from "../../../src/seam/values.ts";

/** How the ids of files begin that are kept here, where the platform has files of its own: those have no colon. */
export const OWN = "file:";

/** Keeps a file that was made for somebody, such as a mask, as a reference that {@link ownFile} knows. */
export async function keepOwn(
  services: Parameters<typeof keepFile>[0],
  owner: UserId,
  content: Buffer,
): Promise<MediaRef> {
  const { id, bytes } = await keepFile(services, owner, Readable.from([content]), content.length);
  return { surface: platformOf(owner), id: OWN + id, bytes };
}

/** The file in the data folder that a reference's id means; undefined for the platform's own files. */
export function ownFile(id: string, mark = OWN): string | undefined {
  return id.startsWith(mark) ? id.slice(mark.length) : undefined;
}
